#!/bin/sh
# Makes a checkout able to run its own TypeScript: a Node that strips types itself, npm, and the npm packages of the lock file.
# In shell, because it runs before there is such a Node. Prints nothing when there is nothing to do.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
fail() { say "bootstrap: $*"; exit 1; }

# A value of an entry in programs.yaml, the one place that pins programs.
pinned() { sed -n '/^  '"$1"':$/,/^$/s/^ *'"$2"': *//p' toolchain/programs.yaml | head -n 1; }

suitable() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 18) ? 0 : 1)' 2>/dev/null; }

# The npm registry as npm itself would choose it, as far as that is possible without npm.
registry() {
  configured=${npm_config_registry:-${NPM_CONFIG_REGISTRY:-$(cat .npmrc "$HOME/.npmrc" 2>/dev/null | sed -n 's/^registry *= *//p' | head -n 1)}}
  configured=${configured:-https://registry.npmjs.org}
  printf '%s\n' "${configured%/}"
}

# A minimal Debian has only apt's own downloader.
download() { # address, file
  if command -v curl >/dev/null; then curl -fsSL -o "$2" "$1"
  elif command -v wget >/dev/null; then wget -q -O "$2" "$1"
  elif [ -x /usr/lib/apt/apt-helper ]; then /usr/lib/apt/apt-helper -qq -o APT::Sandbox::User=root download-file "$1" "$2" >/dev/null
  else say "bootstrap: neither npm nor curl nor wget is on PATH."; return 1
  fi
}

# Debian's git only recommends certificate authorities. npm and Node bring their own; curl, wget and apt need the system's.
require_authorities() {
  if ! command -v apt-get >/dev/null || [ -e "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" ]; then return; fi
  [ "$(id -u)" = 0 ] || fail "certificate authorities are missing. Install them: sudo apt-get install ca-certificates"
  say "ca-certificates: installing Debian's package"
  { apt-get -qq update && apt-get -qq -y --no-install-recommends install ca-certificates; } >/dev/null ||
    fail "apt-get could not install ca-certificates. Check the package sources (/etc/apt)."
}

# Unpacks a package of the npm registry into the cache, unless it is there. npm knows credentials, so it is preferred.
provide() { # package, version, SHA-512, folder, file in it that has to be there
  [ ! -e "$4/$5" ] || return 0
  say "$1 $2: fetching it from the npm registry"
  draft=$4.draft-$$
  trap 'rm -rf "$draft"' EXIT
  mkdir -p "$draft"
  if command -v npm >/dev/null; then (cd "$draft" && npm pack --silent "$1@$2" >/dev/null)
  else require_authorities && download "$(registry)/$1/-/$1-$2.tgz" "$draft/$1-$2.tgz"
  fi || fail "$1@$2 could not be fetched from $(registry). Check the network and the registry (npm config get registry), or put Node 22.18 or newer and npm on PATH (https://nodejs.org)."
  echo "$3  $draft/$1-$2.tgz" | sha512sum --check --status ||
    fail "$1-$2.tgz is not the file that programs.yaml pins (SHA-512). Do not use it; check the npm registry."
  tar -xzf "$draft/$1-$2.tgz" -C "$draft"
  mv "$draft/package" "$4" 2>/dev/null || [ -e "$4/$5" ]
  rm -rf "$draft"
}

install_node() {
  [ "$(uname -s)" = Linux ] || fail "Node 22.18 or newer is not on PATH. Install it from https://nodejs.org and run the same command again."
  case $(uname -m) in
    x86_64) arch=x64 ;;
    aarch64) arch=arm64 ;;
    *) fail "no Node package is pinned for $(uname -m). Put Node 22.18 or newer on PATH." ;;
  esac
  version=$(pinned node version)
  provide "$(pinned node npm)-$arch" "$version" "$(pinned node "$arch")" "$programs/node-$version-$arch" bin/node
  ln -sfn "$programs/node-$version-$arch/bin/node" .tools/bin/node
}

install_npm() {
  version=$(pinned npm version)
  provide npm "$version" "$(pinned npm sha512)" "$programs/npm-$version" bin/npm-cli.js
  for name in npm npx; do ln -sfn "$programs/npm-$version/bin/$name-cli.js" ".tools/bin/$name"; done
}

# npm, Go and this project keep what they fetch and build there; without it each fails in its own words.
{ [ -n "${HOME:-}" ] && [ -d "$HOME" ] && [ -w "$HOME" ]; } ||
  fail "the home directory '${HOME:-}' does not exist or cannot be written. Set HOME to a directory of yours."
programs=${XDG_CACHE_HOME:-$HOME/.cache}/inference-stack-fleet/programs
if ! suitable .tools/bin/node || ! command -v npm >/dev/null; then
  mkdir -p .tools/bin "$programs"
fi
if ! suitable .tools/bin/node; then
  if suitable "$(command -v node || echo /nonexistent)"; then
    ln -sfn "$(command -v node)" .tools/bin/node
  else
    install_node
  fi
fi

PATH=$PWD/.tools/bin:$PATH
export PATH
command -v npm >/dev/null || install_npm
stamp=node_modules/.package-lock.stamp
if ! cmp -s package-lock.json "$stamp"; then
  say "npm packages: installing what package-lock.json names"
  npm ci --prefer-offline --no-audit --no-fund --loglevel=error >&2 || fail "npm ci failed; its message is above."
  cp package-lock.json "$stamp"
fi
