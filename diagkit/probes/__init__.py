"""One file, one probe: it measures one thing of a training and returns evidence of the same name."""
