/** Says back what it hears, over TCP, as a process of its own: what two processes cannot be faster than. */
import { type AddressInfo, createServer } from 'node:net'

const server = createServer((socket) => socket.setNoDelay(true).pipe(socket))
server.listen(0, '127.0.0.1', () => process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`))
process.once('SIGTERM', () => process.exit())
