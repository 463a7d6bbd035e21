"""Hydra's primary config, `config.yaml`."""
