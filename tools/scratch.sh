#!/usr/bin/env bash
# Makes a folder for what tests write and prints its name: in memory where there is room for it, so that no test waits for
# a disk. The long run is on the disk.
set -euo pipefail
place=${TMPDIR:-/tmp}
room=$(df --output=avail -k /dev/shm 2> /dev/null | tail -n 1 || true)
if [[ -w /dev/shm && ${room:-0} -gt 4000000 ]]; then
    place=/dev/shm
fi
made=$(mktemp -d -p "$place" gr.XXXX)
chmod 711 "$made" # a server of PostgreSQL is another user's
echo "$made"
