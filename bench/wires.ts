/**
 * Compares the frames of the wires between nodes with `ws`, which would carry the same messages: in turns, each end a process of its own
 * (docs/decisions/0014-libraries.md). `npm run bench -- wires`
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { encodeFrame, FrameReader, REQUEST } from '../runtime/cluster/peers/frames.js'
import { cpuMs, runBench, startPart } from './harness/processes.js'
import { median, say, table } from './harness/report.js'

const ROUNDS = 5
const seconds = Number(process.argv[2] ?? 2)
const BODY = JSON.stringify({ type: 'send', text: 'Bom dia, tudo bem? Segue o pedido que combinamos ontem.'.repeat(8) })
const HEAD = `/call ${'c'.repeat(80)}`

/** One kept connection. Calls `onAnswer` for each answer. */
interface Kept {
  send(call: number): void
  close(): void
}

await runBench(async () => {
  const part = await startPart('bench/harness/wire-echo.js', {}, /^ready (\d+) (\d+)$/)
  const [, framesPort = '', socketsPort = ''] = part.said
  const open = { frames: () => overFrames(Number(framesPort)), ws: () => overSockets(Number(socketsPort)) }
  const found = new Map<string, number[][]>()
  for (let round = 0; round < ROUNDS; round += 1)
    for (const atOnce of [1, 64])
      for (const name of ['frames', 'ws'] as const) {
        const key = `${name}, ${atOnce} at once`
        found.set(key, [...(found.get(key) ?? []), await measure(open[name], atOnce, part.pid)])
      }
  const rows = [...found].map(([key, rounds]) => [
    key,
    ...[0, 1, 2].map((column) => median(rounds.map((round) => round[column] ?? Number.NaN)).toFixed(1)),
  ])
  say(table([`median of ${ROUNDS} rounds`, 'calls a second', 'CPU µs, caller', 'CPU µs, owner'], rows))
})

async function measure(open: () => Promise<(onAnswer: () => void) => Kept>, atOnce: number, ownerPid: number) {
  const connection = await open()
  let answers = 0
  let call = 0
  const endMs = performance.now() + seconds * 1_000
  const [farBefore, nearBefore, startedMs] = [cpuMs(ownerPid), process.cpuUsage(), performance.now()]
  await new Promise<void>((resolve) => {
    const kept = connection(() => {
      answers += 1
      if (performance.now() < endMs) kept.send(++call)
      else if (answers === call) {
        kept.close()
        resolve()
      }
    })
    for (let count = 0; count < atOnce; count += 1) kept.send(++call)
  })
  const near = process.cpuUsage(nearBefore)
  return [
    (answers * 1_000) / (performance.now() - startedMs),
    (near.user + near.system) / answers,
    ((cpuMs(ownerPid) - farBefore) * 1_000) / answers,
  ]
}

async function overFrames(port: number): Promise<(onAnswer: () => void) => Kept> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  const reader = new FrameReader(16 * 2 ** 20)
  return (onAnswer) => {
    socket.on('data', (chunk: Buffer) => {
      for (const _ of reader.push(chunk)) onAnswer()
    })
    return { send: (call) => void socket.write(encodeFrame(REQUEST, call, HEAD, BODY)), close: () => socket.destroy() }
  }
}

async function overSockets(port: number): Promise<(onAnswer: () => void) => Kept> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false })
  await once(socket, 'open')
  return (onAnswer) => {
    socket.on('message', onAnswer)
    return {
      send: (call) => socket.send(encodeFrame(REQUEST, call, HEAD, BODY).subarray(4)),
      close: () => socket.terminate(),
    }
  }
}
