/** Serves a folder of static pages on this machine only. */
import { createReadStream, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import path from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/** Listens on 127.0.0.1. Resolves with the server and its address. */
export function serveFolder(folder: string, port: number): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    const file = findFile(folder, request.url ?? '/')
    if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response
        .writeHead(file === undefined ? 404 : 405, { 'content-type': 'text/plain' })
        .end('There is no such page.\n')
      return
    }
    response.writeHead(200, {
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      'cache-control': 'no-cache',
      // Nothing is asked of other hosts.
      'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'",
    })
    if (request.method === 'HEAD') response.end()
    else createReadStream(file).pipe(response)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const listening = typeof address === 'object' && address !== null ? address.port : port
      resolve({ server, url: `http://127.0.0.1:${listening}/` })
    })
  })
}

/** Returns the file of an address, or undefined if there is none below the folder. */
function findFile(folder: string, url: string): string | undefined {
  try {
    const name = decodeURIComponent(new URL(url, 'http://localhost').pathname)
    const file = path.join(folder, name.endsWith('/') ? `${name}index.html` : name)
    const isInside = file.startsWith(folder + path.sep)
    return isInside && statSync(file).isFile() ? file : undefined
  } catch {
    return undefined
  }
}
