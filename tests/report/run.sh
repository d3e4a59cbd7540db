#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh GALLERY SCRATCH [TARGET=GALLERY...]
# host/report/report.sh on a few cases: the page is well-formed and self-contained, and shows cases
# that differ, crash or have no device, as does the exit status. Python checks the HTML.
set -u
unset REQUIRE_GPU # of the calling make check

gallery=$1 scratch=$2
shift 2
command -v python3 >/dev/null || { echo "skipped: there is no python3 to check the HTML with"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"
failed=0

fail() {
    echo "$1"
    failed=$((failed + 1))
}

# report STATUS NAME ARGUMENT...: expects the exit status, and a well-formed page, with a link to
# $url
url=
report() {
    status=$1 name=$2
    shift 2
    page=$scratch/$name/index.html
    host/report/report.sh "$@" >"$scratch/$name.out" 2>&1
    code=$?
    [ $code = "$status" ] || fail "$name: exit status $code, expected $status: $(cat "$scratch/$name.out")"
    [ "$status" = 2 ] || python3 tests/report/validate.py "$page" ${url:+"$url"} >"$scratch/$name.html" ||
        fail "$(cat "$scratch/$name.html")"
}

# has TEXT, lacks TEXT: of the latest page
has() {
    grep -qF -- "$1" "$page" || fail "$page lacks: $1"
}
lacks() {
    grep -qF -- "$1" "$page" && fail "$page has: $1"
}

cat >"$scratch/plot.svg" <<END
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path id="a" d="M0 0L9 9"/></svg>
END

# All agree. Texts from outside are escaped. The page names the project, links to portable.h, and
# folds away what agrees: images are those before and after, none of them a difference.
url=https://example.org/portable
report 0 agrees --note "project: waves: kernels of water" --note "repository: $url" --note "commit: <b>&\"'" --missing "cuda: there's <none>" --inputs tests/data/img \
    --plots "$scratch" "$scratch/agrees" serial="$gallery" again="$gallery" "$@" -- saxpy blur
has "All results agree"
has '&lt;b&gt;&amp;&quot;&#39;'
has "there&#39;s &lt;none&gt;"
has "camera.pgm"
has ">Images<"
has ">Speed<"
has "<title>All results agree: waves, with portable.h "
has "<summary>No image differs between targets</summary>"
has "after, identical on $(($# + 2)) targets"
lacks "amplified"
has "1 case is within the bound, with the same errors on all targets"
sed '1,/^<style>$/d; /^<\/style>/,$d' "$page" | cmp - host/report/page.css || fail "the style of $page is not host/report/page.css"
lacks "fails</span>"
grep -q "img=[4-9]" "$scratch/agrees.html" || fail "the page has too few images: $(cat "$scratch/agrees.html")"

# The checks of the HTML can fail.
for harm in 's|<title>.*</title>|<title>Results</title>|' 's|<h1>portable|<h1>p|; s|<h1>waves, with portable|<h1>w|' \
    's|<tr id="case-0">|<tr class="bad" id="case-0">|' 's|<details class="family">|<p>|; s|</table></details>|</table></p>|' \
    's|href="https:|href="http:|' 's|<section id="checks">|<section id="checks"></section><section>|' \
    's|</main>|<img alt="x" src="http://x/y.png"></main>|' 's|</main>||' \
    's|<a href="#speed">Speed</a>||' 's|id="checks"|id="errors"|' 's|data:image/png;base64,iVBORw0KGgoAAAANSUhEU|&A|'; do
    sed "$harm" "$scratch/agrees/index.html" >"$scratch/harmed.html"
    python3 tests/report/validate.py "$scratch/harmed.html" "$url" >/dev/null 2>&1 &&
        fail "validate.py took a page after $harm"
done
url=

# No images, no plots, no other target: sections that would be empty are left out.
report 0 alone "$scratch/alone" serial="$gallery" -- sum_tree
lacks ">Images<"
lacks ">Speed<"
lacks "docs/"
has '<a href="#reading">How to read this page</a>'
grep -q "section=4" "$scratch/alone.html" || fail "the page has an empty section: $(cat "$scratch/alone.html")"
grep -q "img=0" "$scratch/alone.html" || fail "the page has images: $(cat "$scratch/alone.html")"

# A result that differs: one byte of it is changed before the comparison, and one sample of an image
# after it.
cat >"$scratch/damages.sh" <<END
#!/bin/sh
for last; do case \$last in serial=*) directory=\${last#serial=} ;; esac; done
for file in "\$directory/saxpy/1000-256/y.npy" "\$directory/blur/200-32x8/blurred.npy"; do
    printf '\\101' | dd of="\$file" bs=1 seek=1000 conv=notrunc 2>/dev/null
done
"$gallery" "\$@"
code=\$?
image=\$(find "\$directory/../other" -path '*camera*' -name blurred.pgm)
sample=\$(od -An -tu1 -j30000 -N1 "\$image")
printf "\\\\\$(printf %o \$((sample > 9 ? sample - 3 : sample + 3)))" |
    dd of="\$image" bs=1 seek=30000 conv=notrunc 2>/dev/null
exit \$code
END
chmod +x "$scratch/damages.sh"
report 1 differs --inputs tests/data/img "$scratch/differs" serial="$gallery" other="$scratch/damages.sh" -- vector_add saxpy blur
has "2 of 3 cases fail"
has "<title>2 of 3 cases fail: portable.h "
has "rounding does not explain this"
has "other minus serial, amplified 85 times"
has "1 of 262144 samples differ, by 3 of 255 at most"
has "<summary>No other image differs between targets</summary>"
[ "$(grep -c 'class="chip bad"' "$page")" = 2 ] || fail "$page does not show two cases that differ"

# A target that ends without results, and one without a device.
printf '#!/bin/sh\necho "its <last> words" >&2\nkill -SEGV $$\n' >"$scratch/crashes.sh"
printf '#!/bin/sh\necho "gallery: the cuda target was not run: no such device" >&2\nexit 77\n' \
    >"$scratch/absent.sh"
chmod +x "$scratch/crashes.sh" "$scratch/absent.sh"
report 1 crashes "$scratch/crashes" serial="$gallery" openmp="$scratch/crashes.sh" -- saxpy
has "Not everything could be checked"
has "openmp: the check ended with exit status"
has "its &lt;last&gt; words"
report 0 absent "$scratch/absent" serial="$gallery" cuda="$scratch/absent.sh" -- saxpy
has "Not run: cuda: the cuda target was not run: no such device"
REQUIRE_GPU=1 report 1 required "$scratch/required" serial="$gallery" cuda="$scratch/absent.sh" -- saxpy
has "Not everything could be checked"

# Bad input is one sentence, and leaves no page.
report 2 unknown --frobnicate "$scratch/unknown" serial="$gallery"
report 2 nameless "$scratch/nameless" "$gallery"
for results in "$scratch/agrees.out" /dev/null "$scratch/missing"; do
    "$gallery" report "$scratch/bad.html" serial="$results" >"$scratch/out" 2>&1
    [ $? = 2 ] || fail "gallery report took $results"
    [ "$(wc -l <"$scratch/out")" = 1 ] || fail "more than a sentence: $(cat "$scratch/out")"
done
head -n 12 "$scratch/agrees/serial.results" >"$scratch/cut.results"
"$gallery" report "$scratch/bad.html" serial="$scratch/cut.results" 2>&1 | grep -qF "the file is cut" ||
    fail "gallery report took results without their end"
[ ! -e "$scratch/bad.html" ] || fail "bad input left a page"
ls "$scratch"/*.tmp "$scratch"/*/*.tmp 2>/dev/null && fail "something half-written was left"

[ $failed = 0 ] && echo "the pages are well-formed and say what was found"
[ $failed = 0 ]
