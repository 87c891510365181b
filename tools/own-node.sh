#!/bin/sh
# Runs after `npm ci`, without Node. The package `node` brings a binary for glibc, and npm puts it first on the path of
# every script. Where it cannot run, as on musl, the system's own Node takes its place, if it is new enough.
set -eu
own=node_modules/node/bin/node
# Installed without what is for developers: npm uses the system's Node.
[ -e "$own" ] || [ -L "$own" ] || exit 0
if "$own" --version >/dev/null 2>&1; then exit 0; fi

wanted=24
here=$(pwd -P)
IFS=:
for folder in $PATH; do
  case $folder in "$here"/*) continue ;; esac
  [ -x "$folder/node" ] || continue
  major=$("$folder/node" --version 2>/dev/null | sed 's/^v\([0-9]*\)\..*/\1/') || continue
  [ "${major:-0}" -ge "$wanted" ] 2>/dev/null || continue
  rm -f "$own"
  ln -s "$folder/node" "$own"
  echo "The node of npm does not run on this system; $folder/node is used instead."
  exit 0
done
echo "The node of npm does not run on this system, and there is no Node.js $wanted or newer on the path. Install one, then run npm ci again." >&2
exit 1
