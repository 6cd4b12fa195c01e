/** A forward proxy as a process of its own, for `bench/idle-proxies.ts`. */
import { startProxyServer } from '../../sandbox/proxies/proxy-server.js'

const { port } = await startProxyServer({ scheme: 'http', username: 'bench', password: 'bench' })
process.stdout.write(`ready ${port}\n`)
process.once('SIGTERM', () => process.exit())
