#!/bin/sh
# Makes a checkout able to run its own TypeScript: a Node that strips types itself, and the npm packages of the lock file.
# In shell, because it runs before there is such a Node. Prints nothing when there is nothing to do.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
fail() { say "bootstrap: $*"; exit 1; }

# A value of the entry `node` in programs.yaml, the one place that pins programs.
pinned() { sed -n '/^  node:$/,/^$/s/^ *'"$1"': *//p' cluster/programs.yaml | head -n 1; }

suitable() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 18) ? 0 : 1)' 2>/dev/null; }

install_node() {
  [ "$(uname -s)" = Linux ] || fail "Node 22.18 or newer is not on PATH. Install it from https://nodejs.org and run the same command again."
  case $(uname -m) in
    x86_64) arch=x64 ;;
    aarch64) arch=arm64 ;;
    *) fail "no Node package is pinned for $(uname -m). Put Node 22.18 or newer on PATH." ;;
  esac
  version=$(pinned version)
  package=$(pinned npm)-$arch@$version
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/inference-stack-fleet/programs/node-$version-$arch
  if [ ! -x "$cache/bin/node" ]; then
    say "Node $version: fetching it from the npm registry, because the Node on PATH is missing or older than 22.18"
    draft=$cache.draft-$$
    trap 'rm -rf "$draft"' EXIT
    mkdir -p "$draft"
    archive=$(cd "$draft" && npm pack --silent "$package") ||
      fail "npm could not fetch $package. Check the registry (npm config get registry), or put Node 22.18 or newer on PATH."
    echo "$(pinned "$arch")  $draft/$archive" | sha512sum --check --status ||
      fail "$archive is not the file that programs.yaml pins (SHA-512). Do not use it; check the npm registry."
    tar -xzf "$draft/$archive" -C "$draft"
    mkdir -p "$(dirname "$cache")"
    mv "$draft/package" "$cache" 2>/dev/null || [ -x "$cache/bin/node" ]
  fi
  mkdir -p .tools/bin
  ln -sfn "$cache/bin/node" .tools/bin/node
}

# npm, Go and this project keep what they fetch and build there; without it each fails in its own words.
{ [ -n "${HOME:-}" ] && [ -d "$HOME" ] && [ -w "$HOME" ]; } ||
  fail "the home directory '${HOME:-}' does not exist or cannot be written. Set HOME to a directory of yours."
if ! command -v npm >/dev/null; then
  command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || fail "npm is not on PATH. Install Node 22.18 or newer with npm (https://nodejs.org)."
  say "npm: installing Debian's package"
  { apt-get -qq update && apt-get -qq -y --no-install-recommends install npm; } >/dev/null || fail "apt-get could not install npm."
fi
if ! suitable .tools/bin/node; then
  if suitable "$(command -v node || echo /nonexistent)"; then
    mkdir -p .tools/bin
    ln -sfn "$(command -v node)" .tools/bin/node
  else
    install_node
  fi
fi

PATH=$PWD/.tools/bin:$PATH
export PATH
stamp=node_modules/.package-lock.stamp
if ! cmp -s package-lock.json "$stamp"; then
  say "npm packages: installing what package-lock.json names"
  npm ci --prefer-offline --no-audit --no-fund --loglevel=error >&2 || fail "npm ci failed; its message is above."
  cp package-lock.json "$stamp"
fi
