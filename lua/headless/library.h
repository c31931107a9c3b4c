/*
 * The libmgba headers, always through this file.
 *
 * Debian's headers leave out what the library was built with: struct mCore has members that exist only under USE_DEBUGGERS,
 * and no header includes mgba/flags.h by itself. Without it every member behind that block sits at another offset than the
 * library thinks, and nothing warns. So flags.h comes first, here, once.
 */
#ifndef HEADLESS_LIBRARY_H
#define HEADLESS_LIBRARY_H

#include <mgba/flags.h>

#include <mgba/core/config.h>
#include <mgba/core/core.h>
#include <mgba/core/log.h>
#include <mgba/core/scripting.h>
#include <mgba/core/serialize.h>
#include <mgba/core/version.h>
#include <mgba/internal/script/lua.h>
#include <mgba/internal/script/socket.h>
#include <mgba/script/context.h>
#include <mgba-util/vfs.h>

#endif
