#!/bin/sh
# Writes a backup into a folder and keeps the newest of them. Older ones go only after the new one is complete.
#   deploy/backup.sh /var/backups/octavo 14
set -eu
umask 077
folder=${1:?the folder for backups}
kept=${2:?how many to keep}
case $kept in '' | *[!0-9]* | 0) echo "how many to keep is a number above 0, not $kept" >&2; exit 2 ;; esac
root=$(cd "$(dirname "$0")/.." && pwd -P)
"$root/octavo" backup "$folder/octavo-$(date -u +%Y-%m-%dT%H%M%SZ).tar.gz"
# Their names are in the order of their days.
ls "$folder" | grep '^octavo-.*Z\.tar\.gz$' | sort -r | tail -n "+$((kept + 1))" | while read -r name; do
  rm -- "$folder/$name"
done
