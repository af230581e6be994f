#!/usr/bin/env bash
# A server of MySQL in a folder, whose path must be short: that of a socket has at most 107 bytes.
#   server.sh make FOLDER                         makes its data; the user root needs no password
#   server.sh serve FOLDER PORT [--option…]       runs it, in this process
#   server.sh sql FOLDER TEXT                     asks it
set -euo pipefail
. "$(dirname "$0")/program.sh"
folder=$2
options=(
  --no-defaults --basedir="$MYSQL_ROOT/usr" --datadir="$folder/data" --log-error="$folder/log"
  --lc-messages-dir="$MYSQL_ROOT/usr/share/mysql" --character-sets-dir="$MYSQL_ROOT/usr/share/mysql/charsets"
  --plugin-dir="$MYSQL_ROOT/usr/lib/mysql/plugin" --secure-file-priv=
)
[ "$(id -u)" = 0 ] && options+=(--user=root)
case $1 in
  make)
    mkdir -p "$folder"
    program sbin/mysqld "${options[@]}" --initialize-insecure || { tail -3 "$folder/log" >&2; exit 1; }
    ;;
  serve)
    exec "${by_loader[@]}" "$MYSQL_ROOT/usr/sbin/mysqld" "${options[@]}" --port="$3" --socket="$folder/s" --pid-file="$folder/pid" \
      --bind-address=127.0.0.1 --mysqlx=OFF --max-connections=300 "${@:4}"
    ;;
  sql) program bin/mysql --no-defaults -uroot -S "$folder/s" -Nse "$3" ;;
esac
