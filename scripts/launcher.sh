#!/bin/sh
# Starts kedge in the caller's directory, with the Node that lies beside this file.
self=$0
case $self in
  */*) ;;
  *) self=./$self ;;
esac
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=${self%/*}/$target ;;
  esac
done
root=$(CDPATH='' cd -P -- "${self%/*}/" && pwd) || exit 1
exec "$root/runtime/bin/node" "$root/dist/kedge.js" "$@"
