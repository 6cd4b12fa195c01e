/** Reads which files the built dashboard has, and answers requests for them. No path of a caller meets the disk. */
import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { GatewayError } from '../schemas/errors.js'
import { isAccepted, isSame } from './answers/encoded-text.js'
import { Answer, type DashboardFiles } from './route.js'

// Bound: 16,384, a header or a path.

interface BuiltFile {
  readonly type: string
  /** Encodings of which the build has a copy, the best first. */
  readonly encodings: readonly Encoding[]
}

type Encoding = 'br' | 'gzip'

const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
/** Maximum of folders below `/dashboard/` in an address. The page of each depth differs by its links. */
const DEPTH_MAX = 20

/**
 * The page shows what strangers wrote, so that nothing but the files of the build may run. `posthorn` is the one policy with which a script
 * may name the address of a worker. `upgrade-insecure-requests` is missing because it makes the page blank on plain HTTP.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types posthorn',
].join('; ')

const PAGE_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'microphone=(self), camera=(), geolocation=(), payment=(), usb=(), serial=(), display-capture=()',
}

/** Refuses everything with a sentence, where there is no build. */
export const NO_DASHBOARD: DashboardFiles = { isBuilt: false, page: refuse, file: refuse, has: () => false }

/** Reads the list of files. The folder is `dist/dashboard`, as `npm run build` writes it. */
export function readDashboardFiles(folder: string): DashboardFiles {
  const index = path.join(folder, 'index.html')
  if (!existsSync(index)) return NO_DASHBOARD
  const html = readFileSync(index, 'utf8')
  const files = listFiles(folder)
  const pages = new Map<number, { readonly body: string; readonly tag: string }>()

  return {
    isBuilt: true,
    has: (name) => files.has(name),

    page(asked, ifNoneMatch) {
      const depth = (asked.match(/\//g) ?? []).length - 2
      if (depth > DEPTH_MAX) throw new GatewayError('NOT_FOUND')
      const { body, tag } = makePage(depth)
      const headers = { ...PAGE_HEADERS, ETag: tag }
      const type = 'text/html; charset=utf-8'
      return new Answer(isSame(ifNoneMatch, tag) ? { status: 304, body: '', type, headers } : { body, type, headers })
    },

    async file(name, acceptEncoding) {
      const file = files.get(name)
      if (file === undefined) throw new GatewayError('NOT_FOUND')
      const encoding = file.encodings.find((one) => isAccepted(acceptEncoding, one))
      const body = await readFile(path.join(folder, name + (encoding === undefined ? '' : ENDINGS[encoding])))
      const headers = {
        'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        'Cross-Origin-Resource-Policy': 'same-origin',
        // `Origin` is what the middleware for other origins has set.
        Vary: 'Accept-Encoding, Origin',
        ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
      }
      return new Answer({ body, type: file.type, headers })
    },
  }

  function makePage(depth: number) {
    const known = pages.get(depth)
    if (known !== undefined) return known
    const body = depth === 0 ? html : html.replaceAll('="./', `="${'../'.repeat(depth)}`)
    const made = { body, tag: `"${hash('sha256', body, 'base64url')}"` }
    pages.set(depth, made)
    return made
  }
}

function refuse(): never {
  throw new GatewayError('NOT_FOUND', {
    message: 'The dashboard is not built: run `npm run build`, then start the gateway again.',
  })
}

/** Lists the files of the build by their names relative to the folder, without the page and the compressed copies. */
function listFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(path.sep, '/'))
  const all = new Set(names)
  const encodings = Object.keys(ENDINGS) as Encoding[]
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[path.extname(name)]
      if (type === undefined) return []
      return [[name, { type, encodings: encodings.filter((one) => all.has(name + ENDINGS[one])) }] as const]
    }),
  )
}
