# The test command of ./orth: runs the tests of Java and of the browser, repeats what failed, and sums up. Sourced by ./orth.
# shellcheck shell=bash disable=SC2154

# More failures than this are no chance: nothing is repeated.
readonly MAX_REPEATED=10
# More flaky classes and specs than this fail the run.
readonly MAX_FLAKY=3
readonly kept=$work/flaky
readonly browser_results=$root/orth-console/test-results

# ---------------------------------------------------------------------------------------------------------------- tools

# Sets browser, installing one where that is possible; empty if there is none.
find_browser() {
    local name mac='/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
    browser=${ORTH_BROWSER:-}
    [[ -z $browser ]] || return 0
    for name in chromium chromium-browser google-chrome google-chrome-stable "$mac"; do
        browser=$(command -v "$name") && return 0
    done
    browser=
    [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null || return 0
    say "Installing chromium for the browser tests; the log is $work/apt.log"
    run_job install_chromium || true
    browser=$(command -v chromium) || browser=
}

# A source that cannot be reached is no reason not to try with what is known.
install_chromium() {
    { apt-get update || true; DEBIAN_FRONTEND=noninteractive apt-get install -y chromium; } >"$work/apt.log" 2>&1
}

# Sets promtool, fetching one where that is possible; empty if there is none.
find_promtool() {
    local own=$work/tools/prometheus/usr/bin/promtool
    promtool=${ORTH_PROMTOOL:-}
    [[ -z $promtool ]] || return 0
    promtool=$(command -v promtool) && return 0
    fetch_if_missing promtool "for the tests of the alerts" "$own" prometheus
    promtool=$own
    [[ -x $own ]] || promtool=
}

# Sets pgbouncer in the same way. Its libraries are fetched with it.
find_pgbouncer() {
    local own=$work/tools/pgbouncer/usr/sbin/pgbouncer
    pgbouncer=${ORTH_PGBOUNCER:-}
    [[ -z $pgbouncer ]] || return 0
    pgbouncer=$(PATH=$PATH:/usr/sbin command -v pgbouncer) && return 0
    fetch_if_missing pgbouncer "for the tests through a pooler" "$own" pgbouncer libevent libc-ares libssl
    pgbouncer=$own
    [[ -x $own ]] || pgbouncer=
}

# Arguments: program, purpose, where it is then, package, and beginnings of the names of packages it depends on.
fetch_if_missing() {
    local name=$1 purpose=$2 own=$3
    shift 3
    [[ ! -x $own ]] && command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 0
    say "Fetching $name $purpose; the log is $work/$name.log"
    run_job fetch_package "$@" >"$work/$name.log" 2>&1 || true
}

# Debian's package is unpacked and not installed, so it needs no root, and no server is started. Only root can update apt's list of
# packages.
fetch_package() {
    local package=$1 target=$work/tools/$1 file
    local -a libraries=()
    shift
    rm -rf -- "$target" "$target.new"
    mkdir -p -- "$target.new" && cd -- "$target.new" || return
    apt-get download "$package" || { [[ $(id -u) == 0 ]] && apt-get update && apt-get download "$package"; } || return
    if (($# > 0)); then
        read -r -d '' -a libraries < <(dpkg-deb -f "$package"_*.deb Depends | tr ',' '\n' | awk '{ print $1 }' \
            | grep -E "^($(tr ' ' '|' <<<"$*"))" && printf '\0')
        ((${#libraries[@]} == 0)) || apt-get download "${libraries[@]}" || return
    fi
    for file in *.deb; do
        dpkg-deb -x "$file" . || return
    done
    rm -f -- *.deb && mv -- "$target.new" "$target"
}

# -------------------------------------------------------------------------------------------------------------- reports

# Find below the root. Directories may vanish during the walk: of git, which tidies up by itself, and of an Orth that is running. Its
# failure then means nothing.
find_in_root() {
    find "$root" \( -name node_modules -o -path "$root/.git" -o -path "$work" \) -prune -o "$@" || true
}

remove_old_reports() {
    find_in_root -type d -path '*/target/surefire-reports*' -prune -exec rm -rf -- {} +
    rm -rf -- "$browser_results" "$kept"
}

# The reports of this run, each followed by a null character.
reports() {
    find_in_root -type f \
        \( -path '*/target/surefire-reports*/TEST-*.xml' -o -path "$browser_results/junit*.xml" \) -print0
}

# A line for each test class and browser spec in the reports, with tabs between tests, failures, skipped, seconds, report and name.
# What is nested in a class counts as the class.
suites() {
    reports | xargs -0 awk -v OFS='\t' -v tag="${tag:-}" '
        function attribute(name) {
            return match($0, "[ \t]" name "=\"[^\"]*\"") \
                ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : ""
        }
        /^[ \t]*<testsuite[ \t]/ {
            suite = attribute("name")
            sub(/\$.*/, "", suite)
            skipped = attribute("skipped") + 0
            # Vitest counts the tests without the tag as skipped, Surefire and Playwright leave them out.
            unwanted = tag != "" && FILENAME ~ /\/TEST-vitest[^\/]*\.xml$/ ? skipped : 0
            print attribute("tests") - unwanted, attribute("failures") + attribute("errors"), skipped - unwanted, \
                attribute("time") + 0, FILENAME, suite
        }' /dev/null
}

# Adds up the reports of this run: tests, failures, skipped.
sum_reports() {
    suites | awk -F '\t' '{ tests += $1; failed += $2; skipped += $3 } END { print tests + 0, failed + 0, skipped + 0 }'
}

# The failed test classes and test files of the console, one a line: module, tab, class or file.
failed_classes() {
    suites | awk -F '\t' -v OFS='\t' -v root="$root/" '
        $2 > 0 && $5 ~ /\/target\/surefire-reports/ {
            module = substr($5, length(root) + 1)
            sub(/\/target\/surefire-reports.*/, "", module)
            print module, $6
        }' | sort -u
}

# The failed browser specs, one a line.
failed_specs() {
    suites | awk -F '\t' '$2 > 0 && $5 ~ /\/junit[^\/]*\.xml$/ { print $6 }' | sort -u
}

# Reads all of its input: with head, sort may be ended by a closed pipe, and the run with it.
show_slowest() {
    say "The ten slowest test classes and browser specs:"
    suites | awk -F '\t' '{ seconds[$6] += $4 } END { for (suite in seconds) printf "%8.1f s  %s\n", seconds[suite], suite }' \
        | sort -rn | sed -n '1,10p'
}

# -------------------------------------------------------------------------------------------------------------- running

# Maven and, as soon as the programs are built, the browser tests at its side: both wait more than they work.
java_and_browser_tests() {
    local maven_status=0 browser_status=0 tests
    rm -f -- "$work/built"
    maven "$work/test.log" show_tests "${options[@]}" ${selection[@]+"${selection[@]}"} &
    tests=$!
    until [[ -f $work/built ]]; do
        kill -0 "$tests" 2>/dev/null || break
        sleep 1
    done
    if [[ -n $browser && -f $work/built ]]; then
        say "Testing the console in $browser"
        browser_tests ${specs[@]+"${specs[@]}"} || browser_status=1
        if [[ $browser_status != 0 ]] && ! grep -qs '<testsuite ' -- "$browser_results/junit.xml"; then
            say "The browser tests ended before the first spec: they are started once more"
            browser_status=0
            browser_tests ${specs[@]+"${specs[@]}"} || browser_status=1
        fi
    fi
    wait "$tests" || maven_status=$?
    ((maven_status == 0)) || say "The build failed; the whole log is $work/test.log"
    # What failed in reports is looked at again; a run that ended before its reports is a failure whatever they say.
    [[ $browser_status == 0 || -n $(failed_specs) ]] || return 1
    return "$maven_status"
}

# Playwright in the console's directory: all specs, or the given ones.
browser_tests() (
    cd -- "$root/orth-console"
    [[ -d node_modules && ! package-lock.json -nt node_modules ]] || npm ci --no-fund --no-audit
    ORTH_BROWSER=$browser npm run e2e -- --pass-with-no-tests ${browser_options[@]+"${browser_options[@]}"} "$@"
)

# Vitest in the console's directory, with options and the names of test files.
console_tests() (
    cd -- "$root/orth-console"
    [[ -z $tag ]] || export ORTH_TEST_TAG=$tag
    npm run --silent test -- "$@"
)

# Repeats each failed class and spec once, alone, with the reports of its first failure kept; says which passed.
repeat_failed() {
    local module class spec
    local -a classes=() failed=()
    IFS=$'\n' read -r -d '' -a classes < <(failed_classes && printf '\0')
    IFS=$'\n' read -r -d '' -a failed < <(failed_specs && printf '\0')
    ((${#classes[@]} + ${#failed[@]} > 0)) || return 0
    if ((${#classes[@]} + ${#failed[@]} > MAX_REPEATED)); then
        say "More than $MAX_REPEATED test classes and browser specs failed: none is repeated."
        return 0
    fi
    for class in ${classes[@]+"${classes[@]}"}; do
        module=${class%%$'\t'*}
        class=${class#*$'\t'}
        say "Repeating $class alone"
        if [[ $module == orth-console ]]; then
            keep_console_report "$class"
            run_job console_tests "--outputFile.junit=target/surefire-reports/TEST-vitest-${class//\//.}.xml" "$class" \
                >"$kept/$class/repeat.log" 2>&1 || true
        else
            keep_reports "$module" "$class"
            run_job maven "$kept/$class/repeat.log" show_tests "${options[@]/#verify/test}" -Dconsole.skip-vitest=true \
                -pl "$module" -am "-Dtest=$class" || true
        fi
        passed_now "$class" || failed_again "$class"
    done
    ((${#failed[@]} == 0)) || set_aside_failed_specs
    for spec in ${failed[@]+"${failed[@]}"}; do
        say "Repeating $spec alone"
        run_job browser_tests "$spec" || true
        [[ ! -f $browser_results/junit.xml ]] || mv -- "$browser_results/junit.xml" "$browser_results/junit-$spec.xml"
        passed_now "$spec" || failed_again "$spec"
    done
}

# Moves what a class left behind out of the reports that are summed up.
keep_reports() {
    local directory
    mkdir -p -- "$kept/$2"
    cp -- "$work/test.log" "$kept/$2/" 2>/dev/null || true
    for directory in "$root/$1"/target/surefire-reports*; do
        [[ ! -d $directory ]] || find "$directory" -type f \( -name "TEST-$2.xml" -o -name "TEST-$2\$*.xml" -o -name "$2.txt" \
            -o -name "$2\$*.txt" -o -name "$2-output.txt" \) -exec mv -f -- {} "$kept/$2/" \;
    done
}

# The same for a test file of the console: one report holds them all.
keep_console_report() {
    local report=$root/orth-console/target/surefire-reports/TEST-vitest.xml
    mkdir -p -- "$kept/$1"
    cp -- "$work/test.log" "$kept/$1/" 2>/dev/null || true
    cp -- "$report" "$kept/$1/"
    without_suites " name=\"$1\" " <"$kept/$1/TEST-vitest.xml" >"$report"
}

# A report without the suites whose first line matches a pattern.
without_suites() {
    awk -v pattern="$1" '
        /^[ \t]*<testsuite[ \t]/ { drop = $0 ~ pattern }
        !drop { print }
        /^[ \t]*<\/testsuite>/ { drop = 0 }'
}

# Leaves the specs that passed in the browser's report and keeps the rest, with its screenshots.
set_aside_failed_specs() {
    mkdir -p -- "$kept/browser"
    cp -R -- "$browser_results/." "$kept/browser/"
    without_suites ' (failures|errors)="[1-9]' <"$kept/browser/junit.xml" >"$browser_results/junit-passed.xml"
    rm -f -- "$browser_results/junit.xml"
}

# Whether a repeated class or spec has a report again, and no failure in it.
passed_now() {
    suites | awk -F '\t' -v name="$1" '
        $6 == name { found = 1; failures += $2 }
        END { exit found && failures == 0 ? 0 : 1 }' || return 1
    flaky+=("$1")
}

# A repetition that left no report counts as the failure it repeats.
failed_again() {
    suites | awk -F '\t' -v name="$1" '$6 == name { found = 1 } END { exit found ? 0 : 1 }' || unreported=$((unreported + 1))
}

show_flaky() {
    local name directory
    for name in ${flaky[@]+"${flaky[@]}"}; do
        directory=$kept/$name
        [[ -d $directory ]] || directory=$kept/browser
        say "FLAKY $name: failed, then passed alone; its first failure is in $directory"
    done
}

# --------------------------------------------------------------------------------------------------------- what changed

# The files that differ from a revision, those git does not know yet included; of a renamed one both paths.
changed_files() {
    { git -C "$root" diff --name-only --no-renames "$1" -- && git -C "$root" ls-files --others --exclude-standard; } | sort -u
}

# Where this work began: where it left main, or the last commit if all is committed on main itself.
default_base() {
    local head base
    head=$(git -C "$root" rev-parse HEAD) || return
    base=$(git -C "$root" merge-base HEAD origin/main 2>/dev/null || git -C "$root" merge-base HEAD main 2>/dev/null || printf '%s' "$head")
    if [[ $base == "$head" && -z $(git -C "$root" status --porcelain) ]]; then
        base=$(git -C "$root" rev-parse HEAD~1)
    fi
    printf '%s\n' "$base"
}

# The modules of the build, as directories.
modules() { sed -n 's|.*<module>\(.*\)</module>.*|\1|p' "$root/pom.xml"; }

# The artifactIds of modules, one a line. They may differ from the names of the directories.
artifacts() {
    local module
    for module; do
        awk '
            /<parent>/ { parent = 1 }
            !parent && match($0, /<artifactId>[^<]+/) { print substr($0, RSTART + 12, RLENGTH - 12); exit }
            /<\/parent>/ { parent = 0 }' "$root/$module/pom.xml"
    done
}

# Joins lines to alternatives of a regular expression.
alternatives() { paste -s -d '|' -; }

# The given modules and all that depend on them, one a line.
with_dependents() {
    local module names found=" $* " before=
    while [[ $found != "$before" ]]; do
        before=$found
        names=$(artifacts $found | alternatives)
        for module in $(modules); do
            [[ $found == *" $module "* ]] || ! grep -qE "<artifactId>($names)</artifactId>" "$root/$module/pom.xml" \
                || found+="$module "
        done
    done
    printf '%s\n' $found
}

class_names() { sed 's|^.*src/test/java/||; s|\.java$||; s|/|.|g'; }

only_tests() { sed -nE '/(Test|Properties)$/p'; }

# The test classes of modules, one a line. Modules may share a directory of tests.
test_classes() {
    local module directory
    for module; do
        directory=$(sed -n 's|.*<testSourceDirectory>${project.basedir}/\(.*\)</testSourceDirectory>.*|\1|p' "$root/$module/pom.xml")
        directory=$root/$module/${directory:-src/test/java}
        [[ ! -d $directory ]] || find "$directory" -name '*.java' | class_names | only_tests
    done
}

# The classes below src/test/java whose source matches a pattern, one a line.
test_sources_with() {
    find_in_root -name target -prune -o -path '*/src/test/java/*.java' -print0 \
        | { xargs -0 grep -lE -- "$1" || true; } | class_names
}

# The test classes that read docs, monitoring or a page at the root, one a line.
readers_of_docs() {
    test_sources_with '"(\.\./)*(docs|monitoring|README|CHANGELOG|UPGRADING)|ReferencePage' | only_tests
}

# The test classes that read sources or POMs of all modules, one a line.
readers_of_modules() { test_sources_with 'Path\.of\("\.\."(\)|, [a-z])' | only_tests; }

# The given test classes and all that extend them, one a line.
with_subclasses() {
    local found=$1 before='' names
    while [[ $found != "$before" ]]; do
        before=$found
        names=$(sed 's/.*\.//' <<<"$found" | alternatives)
        found=$({ printf '%s\n' "$found"; test_sources_with "[[:space:]]extends[[:space:]]+($names)([^[:alnum:]_]|$)"; } | sort -u)
    done
    only_tests <<<"$found"
}

# Sets selection, specs and browser_wanted: the tests that can notice a change of the given files. A test class that changed is run
# itself, with its subclasses; anything else in a module concerns all tests of it and of the modules that depend on it; docs concern the
# tests that read them, and anything else the tests that read all modules.
select_changed() {
    local file owners classes='' changed_classes='' concerned='' docs=0
    browser_wanted=false
    for file; do
        case $file in
            docs/* | monitoring/* | *.md) docs=$((docs + 1)) ;;
            orth-console/e2e/*.spec.ts) [[ ! -f $root/$file ]] || specs+=("${file##*/}") ;;
            */src/test/java/*Test.java | */src/test/java/*Properties.java)
                [[ ! -f $root/$file ]] || changed_classes+=$(class_names <<<"$file")$'\n'
                ;;
            pom.xml | orth | scripts/* | .mvn/* | .ci/*) concerned+=" $(modules | tr '\n' ' ')" ;;
            *)
                owners=$(modules | awk -v file="$file" 'index(file, $0 "/") == 1')
                # A directory beside modules is shared by them.
                [[ -n $owners ]] || owners=$(modules | awk -v top="${file%%/*}/" 'index($0, top) == 1')
                concerned+=" ${owners//$'\n'/ }"
                ;;
        esac
    done
    [[ -z $changed_classes ]] || classes+=$(with_subclasses "${changed_classes%$'\n'}")$'\n'
    ((docs == 0)) || classes+=$(readers_of_docs)$'\n'
    ((docs == $#)) || classes+=$(readers_of_modules)$'\n'
    if [[ -n ${concerned// /} ]]; then
        concerned=$(with_dependents $concerned)
        classes+=$(test_classes $concerned)
    fi
    # The console is a part of the admin; the specs use what ./orth up starts.
    if grep -qxE 'orth-(admin|standalone|launcher)' <<<"$concerned"; then
        browser_wanted=true
        specs=()
    elif ((${#specs[@]} > 0)); then
        browser_wanted=true
    fi
    classes=$(sort -u <<<"$classes" | sed '/^$/d')
    say "$# files have changed since $(git -C "$root" rev-parse --short "$base"): $(grep -c . <<<"$classes" || true) test classes$(
        [[ $browser_wanted == false ]] || printf ' and the browser tests') can notice it."
    # The name of no class: everything is built, and no test of Java runs.
    selection=("-Dtest=$(tr '\n' ',' <<<"${classes:-none}" | sed 's/,$//')")
}

# -------------------------------------------------------------------------------------------------------------- command

run_tests() {
    local tag='' full=false changed=false base='' status=0 tests failed skipped unreported=0 browser_wanted=true complete=true
    local -a options=(verify -T 2 -Dmaven.test.failure.ignore=true -Dsurefire.failIfNoSpecifiedTests=false) browser_options=() selection=() specs=() flaky=() files=()
    while (($# > 0)); do
        case $1 in
            --tag)
                (($# > 1)) || usage "--tag needs the name of a tag."
                tag=$2
                shift
                ;;
            --tag=*) tag=${1#*=} ;;
            --base)
                (($# > 1)) || usage "--base needs a revision."
                base=$2
                shift
                ;;
            --base=*) base=${1#*=} ;;
            --full) full=true ;;
            --changed) changed=true ;;
            *) usage "'$1' is not an option of test; ./orth help lists them." ;;
        esac
        shift
    done
    [[ -z $base || $changed == true ]] || usage "--base goes with --changed."
    SECONDS=0
    find_build_jdk
    find_run_java
    check_build_tools
    mkdir -p -- "$work"
    if [[ -n $tag ]]; then
        options+=("-Dgroups=$tag" -Dspotless.check.skip=true -Dmdep.analyze.skip=true)
        browser_options+=(--grep "@$tag")
    fi
    if [[ $full == true ]]; then
        options+=(-Dorth.full=true)
        export ORTH_FULL=1
    fi
    if [[ $changed == true ]]; then
        base=${base:-$(default_base)} || fail "--changed needs a git checkout."
        git -C "$root" rev-parse --quiet --verify "$base^{commit}" >/dev/null || fail "'$base' is not a revision of this repository."
        IFS=$'\n' read -r -d '' -a files < <(changed_files "$base" && printf '\0')
        select_changed ${files[@]+"${files[@]}"}
    fi
    if ((run_java_major >= 21)); then
        options+=("-Dorth.newest.java=$run_java")
    else
        say "No Java 21 or newer was found: tests of virtual threads are skipped."
    fi

    remove_old_reports
    touch -- "$work/building"
    say "Testing Orth with $build_jdk; the log is $work/test.log"
    browser=
    if [[ $browser_wanted == true ]]; then
        find_browser
        [[ -n $browser ]] \
            || say "No browser was found (ORTH_BROWSER, chromium, google-chrome) and none could be installed: the browser tests are skipped."
    fi
    find_promtool
    if [[ -n $promtool ]]; then
        options+=("-Dorth.promtool=$promtool")
    else
        say "No promtool was found (ORTH_PROMTOOL, PATH) and none could be fetched: the tests of the alerts are skipped."
    fi
    find_pgbouncer
    if [[ -n $pgbouncer ]]; then
        options+=("-Dorth.pgbouncer=$pgbouncer")
    else
        say "No pgbouncer was found (ORTH_PGBOUNCER, PATH) and none could be fetched: the tests through a pooler are skipped."
    fi
    run_job java_and_browser_tests || complete=false
    repeat_failed

    read -r tests failed skipped < <(sum_reports)
    failed=$((failed + unreported))
    tests=$((tests + unreported))
    if [[ -n $tag ]] && ((tests == 0)); then
        say "No test has the tag $tag."
        status=1
    fi
    ((failed == 0)) && [[ $complete == true ]] || status=1
    show_slowest
    show_flaky
    if ((${#flaky[@]} > MAX_FLAKY)); then
        say "More than $MAX_FLAKY are flaky: this run failed."
        status=1
    fi
    [[ $complete == true ]] || say "Not all tests ran: the build or the browser tests ended early. This run failed."
    say "Took $SECONDS s."
    say "$((tests - failed - skipped)) passed, $failed failed, $skipped skipped"
    return "$status"
}
