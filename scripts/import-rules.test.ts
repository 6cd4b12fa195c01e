import assert from 'node:assert/strict'
import { it } from 'node:test'
import { packageRoot } from '../lib/package-root.js'
import {
  connectingFiles,
  misshapenFiles,
  repeatedNames,
  unreachedFiles,
  unsafePages,
  violations,
} from './import-rules.js'

it('every room imports only what its rule allows', () => {
  const result = violations(packageRoot)
  assert.ok(result.filesSeen > 50, `only ${result.filesSeen} files were seen`)
  assert.deepEqual(
    result.violations.map(({ file, imports, why }) => `${file} imports ${imports}. ${why}`),
    [],
  )
})

it('the image holds no code that only tests use', () => {
  assert.deepEqual(unreachedFiles(packageRoot), [], 'Move them to test/, or remove them.')
})

it('files are neither too long, nor so short that they belong into the one that needs them', () => {
  assert.deepEqual(misshapenFiles(packageRoot), [])
})

it('a name is exported by one file', () => {
  assert.deepEqual(repeatedNames(packageRoot), [])
})

it('the dashboard makes no HTML of text, and only its hooks call the gateway', () => {
  assert.deepEqual(unsafePages(packageRoot), [], 'Draw text as text, and call from dashboard/src/hooks.')
})

it('only these files can open a connection: what callers name goes through runtime/outgoing and its guard', () => {
  assert.deepEqual(connectingFiles(packageRoot), [
    // To the network and its own hosts, whatever a message names.
    'actors/network/baileys/connector.ts',
    'actors/network/baileys/media/download.ts',
    'actors/network/baileys/media/hosts.ts',
    'actors/network/baileys/media/upload.ts',
    // To the proxies of instances, and through them to the network.
    'actors/network/route/beneath.ts',
    'actors/network/route/http-connect.ts',
    'actors/network/route/route.ts',
    'actors/network/route/routes.ts',
    'actors/network/route/tunnel-agent.ts',
    'actors/network/route/tunnel.ts',
    // Reads addresses; listens.
    'api/listen-errors.ts',
    'api/rate-limits.ts',
    'api/server.ts',
    // To the other nodes and the stores, at addresses of the configuration.
    'runtime/cluster/node-address.ts',
    'runtime/cluster/peers/greeting.ts',
    'runtime/cluster/peers/local-link.ts',
    'runtime/cluster/peers/server.ts',
    // Listens for probes, and asks the other processes of the machine on their sockets.
    'runtime/cluster/watchdog/health-server.ts',
    'runtime/connect/primary-connector.ts',
    'runtime/connect/primary.ts',
    'runtime/connect/redis.ts',
    'runtime/connect/tls.ts',
    // Look whether what the configuration names can be reached.
    'runtime/doctor/checks/client-version.ts',
    'runtime/doctor/checks/media-host.ts',
    'runtime/doctor/checks/network.ts',
    'runtime/doctor/checks/ports.ts',
    // To our own servers.
    'runtime/embedded/redis-probe.ts',
    'runtime/embedded/server-places.ts',
    // The guard.
    'runtime/outgoing/client.ts',
    'runtime/outgoing/guard.ts',
  ])
})
