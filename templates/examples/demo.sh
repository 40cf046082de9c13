#!/bin/sh
# What `make demo` runs once the package is installed; BIN is the folder of its commands.
set -eu
OUT=output/demo
mkdir -p "$OUT"

echo "== The components that can be printed"
"$BIN/pnp" list

echo
echo "== Printing the catalogue into output/"
"$BIN/pnp" build all --output output

echo
echo "== Judging the example records (all must be legal)"
for record in templates/examples/*.moves; do
    case "$record" in */faulty.moves) continue ;; esac
    "$BIN/referee" adjudicate "$record" --diagrams "$OUT"
done

echo
echo "== Judging a faulty record (it must be refused)"
status=0
"$BIN/referee" adjudicate templates/examples/faulty.moves --diagrams "$OUT" || status=$?
if [ "$status" -ne 1 ]; then
    echo "the faulty record was not refused (exit status $status)" >&2
    exit 1
fi

echo
echo "== A game as a page to step through"
"$BIN/referee" diagram templates/examples/hex.moves --output "$OUT/hex.html"
echo "$OUT/hex.html"

echo
echo "Done. Now open"
echo "  output/index.html      the catalogue, all sheets with thumbnails"
echo "  $OUT/hex.html   a game to step through"
echo "  $OUT/           the diagrams of the example records"
echo "and for a shell in which pnp and referee are commands:"
echo "  . $BIN/activate"
