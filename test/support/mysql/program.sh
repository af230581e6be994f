# To be sourced: programs of MySQL from another Debian, run by its own loader with its own libraries, so that nothing of this
# machine's is touched. They lie in MYSQL_ROOT.
MYSQL_ROOT=${MYSQL_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/praxis/mysql}
loaders=("$MYSQL_ROOT"/usr/lib*/ld-linux-*.so*)
libraries=("$MYSQL_ROOT"/usr/lib/*-linux-gnu*)
by_loader=("${loaders[0]}" --library-path "${libraries[0]}:$MYSQL_ROOT/usr/lib/mysql:$MYSQL_ROOT/usr/lib/mysql-router")
program() { "${by_loader[@]}" "$MYSQL_ROOT/usr/$1" "${@:2}"; }
