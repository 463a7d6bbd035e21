#!/usr/bin/env python3
"""Train both variants of every case with a plain loop and print one line of figures per variant.

usage: _check.py [CASE ...] [--write] [--jobs 1]
"""

import argparse
import importlib.util
import json
import pathlib
import subprocess
import sys
import time

import torch
import yaml

HERE = pathlib.Path(__file__).resolve().parent


def parts(batch):
    return (batch["input"], batch["target"]) if isinstance(batch, dict) else batch


def default_predict(model, inputs):
    return model(*inputs) if isinstance(inputs, tuple | list) else model(inputs)


@torch.no_grad()
def score(case, predict, batches):
    """Loss per example and accuracy (or R2) of fixed weights in evaluation mode."""
    model = case["model"]
    model.eval()
    loss, rows, hits, seen, outs, wants = 0.0, 0, 0, 0, [], []
    for batch in batches:
        inputs, target = parts(batch)
        out = predict(model, inputs)
        loss += float(case["loss_fn"](out, target)) * len(target)
        rows += len(target)
        if case["task"] == "regression":
            outs.append(out.float().reshape(len(target), -1))
            wants.append(target.float().reshape(len(target), -1))
        elif case["task"] == "binary":
            level = 0.5 if out.min() >= 0 and out.max() <= 1 else 0.0
            hits += int(((out.reshape(-1) > level) == (target.reshape(-1) > 0.5)).sum())
            seen += target.numel()
        else:
            keep = target != -100
            hits += int((out.argmax(-1) == target)[keep].sum())
            seen += int(keep.sum())
    if case["task"] == "regression":
        out, want = torch.cat(outs), torch.cat(wants)
        return loss / rows, 1 - float(((out - want) ** 2).sum() / ((want - want.mean(0)) ** 2).sum())
    return loss / rows, hits / max(seen, 1)


def train(case):
    model, optimizer, loss_fn = case["model"], case["optimizer"], case["loss_fn"]
    predict = case.get("predict", default_predict)
    scheduler, step = case.get("scheduler"), case.get("train_step")
    start = time.process_time()
    train_losses, val = [], []
    for _ in range(case["epochs"]):
        model.train()
        losses = []
        for batch in case["train"]:
            if step is not None:
                losses.append(float(step(model, batch, loss_fn, optimizer)))
            else:
                inputs, target = parts(batch)
                optimizer.zero_grad()
                loss = loss_fn(predict(model, inputs), target)
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            if scheduler is not None and case.get("scheduler_interval", "epoch") == "step":
                scheduler.step()
        if scheduler is not None and case.get("scheduler_interval", "epoch") == "epoch":
            scheduler.step()
        train_losses.append(sum(losses) / len(losses))
        val.append(score(case, predict, case["val"]))
    seconds = time.process_time() - start
    final = score(case, predict, case["train"])
    name = "r2" if case["task"] == "regression" else "acc"
    row = {
        "train_loss_first": train_losses[0],
        "train_loss_last": train_losses[-1],
        "train_loss_eval_mode": final[0],
        "val_loss_first": val[0][0],
        "val_loss_min": min(v[0] for v in val),
        "val_loss_last": val[-1][0],
        f"train_{name}": final[1],
        f"val_{name}": val[-1][1],
    }
    if case.get("test") is not None:
        row["test_loss"], row[f"test_{name}"] = score(case, predict, case["test"])
    if case.get("evaluate") is not None:
        for part in ("val", "test"):
            if case.get(part) is not None:
                for k, v in case["evaluate"](model, case[part]).items():
                    row[f"author_{part}_{k}"] = float(v)
    row["seconds"] = seconds
    return {k: float(f"{v:.4g}") for k, v in row.items()}


def one(path, fixed):
    torch.set_num_threads(1)
    spec = importlib.util.spec_from_file_location("case", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    start = time.process_time()
    case = module.build(fixed=fixed)
    built = time.process_time() - start
    return train(case) | {"build_seconds": float(f"{built:.2g}")}


def line(name, variant, fault, row):
    a = "r2" if "val_r2" in row else "acc"
    author = " ".join(f"{k[7:]}={v:.3g}" for k, v in row.items() if k.startswith("author_"))
    test = f" test {row['test_loss']:.3g}/{row[f'test_{a}']:.3f}" if "test_loss" in row else ""
    return (
        f"{name:18} {variant:5} {fault:26} train {row['train_loss_first']:.3g}->{row['train_loss_last']:.3g}"
        f" (eval {row['train_loss_eval_mode']:.3g}) val {row['val_loss_first']:.3g}->{row['val_loss_last']:.3g}"
        f" (min {row['val_loss_min']:.3g}) {a} train {row[f'train_{a}']:.3f} val {row[f'val_{a}']:.3f}{test}"
        f" {author} [{row['build_seconds']:.1f}+{row['seconds']:.1f} s]"
    )


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("cases", nargs="*")
    ap.add_argument("--write", action="store_true", help="keep the figures in case.yaml")
    ap.add_argument("--child", choices=["buggy", "fixed"])
    args = ap.parse_args()
    if args.child:
        print("@@" + json.dumps(one(HERE / args.cases[0] / "case.py", args.child == "fixed")))
        return
    for path in sorted(p for p in HERE.glob("*/case.py") if not args.cases or p.parent.name in args.cases):
        info = yaml.safe_load((path.parent / "case.yaml").read_text())
        for variant in ("buggy", "fixed"):
            command = [sys.executable, __file__, path.parent.name, "--child", variant]
            done = subprocess.run(command, capture_output=True, text=True)
            rows = [x for x in done.stdout.splitlines() if x.startswith("@@")]
            if not rows:
                print(f"{path.parent.name:18} {variant:5} ERROR {done.stderr.strip()[-600:]}", flush=True)
                continue
            info[variant] = json.loads(rows[-1][2:])
            print(line(path.parent.name, variant, info["fault"], info[variant]), flush=True)
        if args.write:
            text = yaml.safe_dump(info, sort_keys=False, width=120)
            (path.parent / "case.yaml").write_text(text)


if __name__ == "__main__":
    main()
