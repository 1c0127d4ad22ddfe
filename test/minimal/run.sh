#!/bin/sh
# Runs `make test` and `make tools` where there is nothing but Debian, make and git: no Go, no Node, no compiler.
# The machine's own ways to registries are carried over: package sources, certificate authorities, settings of npm and Go.
# Everything happens in a mount and process namespace of its own, so that the kernel takes mounts and processes away whenever and
# however this ends.
set -eu

here=$(cd "$(dirname "$0")/../.." && pwd)
programs=${PROGRAMS:-}
suite=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-bookworm}")

fail() { printf 'test-minimal: %s\n' "$*" >&2; exit 1; }
say() { printf '=== %s\n' "$*" >&2; }

# Once more, in namespaces.
if [ "${1:-}" != inside ]; then
  [ "$(id -u)" = 0 ] || fail "may not make namespaces and mounts. Run the same command with sudo."
  command -v debootstrap >/dev/null || fail "debootstrap is not on PATH. Install it: sudo apt-get install debootstrap"
  root=${MINIMAL_ROOT:-$(mktemp -d "${TMPDIR:-/tmp}/minimal-XXXXXX")}
  # Without a name of its own the root is thrown away.
  [ -n "${MINIMAL_ROOT:-}" ] || trap 'rm -rf "$root"' EXIT
  trap 'exit 130' INT TERM
  mkdir -p "$root"
  unshare --mount --pid --fork --kill-child "$0" inside "$root"
  exit
fi
root=$2

if [ ! -e "$root/.made" ]; then
  say "debootstrap of $suite, with make and git"
  site=$(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' | sed -n "s/ $suite\$//p" | head -n 1)
  debootstrap --variant=minbase --include=make,git,ca-certificates "$suite" "$root" "${site:-http://deb.debian.org/debian}" >&2
  touch "$root/.made"
fi
for command in go node npm cc python3 curl wget; do
  [ ! -e "$root/usr/bin/$command" ] || fail "$command is in the root: it is not minimal."
done

say "carrying over how registries are reached"
copy() { [ ! -e "$1" ] || { mkdir -p "$root$(dirname "$2")" && cp -RL "$1" "$root$2"; }; }
copy /etc/resolv.conf /etc/resolv.conf
copy /etc/hosts /etc/hosts
copy /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
copy /usr/local/share/ca-certificates /usr/local/share
copy "$HOME/.npmrc" /root/.npmrc
copy "${XDG_CONFIG_HOME:-$HOME/.config}/go/env" /root/.config/go/env
apt-config dump | grep -E '^Acquire::(https?|Check-)' >"$root/etc/apt/apt.conf.d/99machine" || true
settings=$(env | grep -iE '^(npm_config_[a-z_]+|GO(PROXY|SUMDB|NOSUMDB|PRIVATE|NOPROXY|INSECURE)|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))=' || true)

mount --make-rprivate /
mount -t proc proc "$root/proc"
for tree in dev sys; do mount --rbind "/$tree" "$root/$tree"; done

rm -rf "$root/root/checkout"
git clone --quiet --no-hardlinks "$here" "$root/root/checkout"
inside() { # what, command...
  say "$1"
  shift
  # Values have no spaces in them.
  # shellcheck disable=SC2086
  chroot "$root" /usr/bin/env -i HOME=/root XDG_CACHE_HOME=/root/.cache PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    TERM="${TERM:-dumb}" LANG=C.UTF-8 $settings "$@"
}
inside 'make test' make --directory /root/checkout test
inside "make tools${programs:+ PROGRAMS=$programs}" make --directory /root/checkout tools ${programs:+PROGRAMS="$programs"}
say 'both passed'
