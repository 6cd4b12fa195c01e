/** Answers each request over our frames, and over `ws`, as a process of its own. */
import { type AddressInfo, createServer } from 'node:net'
import { WebSocketServer } from 'ws'
import { ANSWER, encodeFrame, FrameReader } from '../../runtime/cluster/peers/frames.js'

const ANSWER_BODY = JSON.stringify({
  type: 'answered',
  reply: { record: { messageid: '3EB0', status: 'sent' }, warnings: [] },
})
const HEAD = `200 ${'s'.repeat(43)}`

const frames = createServer((socket) => {
  const reader = new FrameReader(8 * 2 ** 20)
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    for (const { call } of reader.push(chunk)) socket.write(encodeFrame(ANSWER, call, HEAD, ANSWER_BODY))
  })
  socket.on('error', () => {})
})
const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
sockets.on('connection', (socket) => {
  // The same bytes but for the length, which is the library's to write.
  socket.on('message', (data: Buffer) =>
    socket.send(encodeFrame(ANSWER, data.readUInt32BE(1), HEAD, ANSWER_BODY).subarray(4)),
  )
})
frames.listen(0, '127.0.0.1', () => {
  const port = (server: { address(): unknown }) => (server.address() as AddressInfo).port
  process.stdout.write(`ready ${port(frames)} ${port(sockets)}\n`)
})
process.once('SIGTERM', () => process.exit())
