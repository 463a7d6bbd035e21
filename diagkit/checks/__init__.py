"""One file, one check, in the folder of the question it belongs to."""
