import type { ServerResponse } from 'node:http'
import type { Fault, ProviderCall } from './script.js'

const CHUNK = Buffer.alloc(65_536, 'x')

/** Answers with a fault. */
export function misbehave(
  response: ServerResponse,
  call: ProviderCall,
  fault: Exclude<Fault, { kind: 'no-choices' }>,
): void {
  switch (fault.kind) {
    case 'hang':
      if (fault.after === 'headers') response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":')
      return
    case 'cut':
      if (fault.after === 'request') return void response.destroy()
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      return void response.write('{"id":', () => response.destroy())
    case 'status': {
      call.status = fault.status
      const isText = typeof fault.body === 'string'
      const headers = { 'content-type': isText ? 'text/plain' : 'application/json', ...fault.headers }
      return void response.writeHead(fault.status, headers).end(isText ? fault.body : JSON.stringify(fault.body))
    }
    case 'huge':
      call.status = 200
      response.writeHead(200, { 'content-type': 'application/json' })
      pour(response, fault.bytes)
      return
    case 'redirect':
      call.status = 307
      return void response.writeHead(307, { location: fault.location }).end()
    default:
      fault satisfies never
  }
}

function pour(response: ServerResponse, bytes: number): void {
  let left = bytes
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= CHUNK.length
      if (!response.write(CHUNK)) return
    }
    if (left <= 0) response.end()
  }
  response.on('drain', more)
  more()
}
