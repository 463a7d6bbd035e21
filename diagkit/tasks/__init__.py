"""One module per recipe family: its data, model, loss and score, named in the recipe by `_target_`."""
