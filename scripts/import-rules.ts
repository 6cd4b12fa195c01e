/** Which room may import which; `design` is the order in which a reader understands them. Checked by `import-rules.test.ts`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface Rule {
  /** Files that the rule is about, by the start of their path. */
  readonly room: string
  /** Paths, by their start, that these files may import besides their own room. */
  readonly may: readonly string[]
  /** Paths, by regular expression, of which they may import types only. */
  readonly mayTypes?: readonly RegExp[]
  /** Packages that they must not import. */
  readonly neverPackages?: readonly RegExp[]
  /** Helps the person whom the rule stops. */
  readonly why: string
}

const BAILEYS = /^(@whiskeysockets\/baileys|libsignal|whatsapp-rust-bridge)/
const KERNEL_TYPES = [/^actors\/instance\/(ports|instance-reader)\.ts$/, /^actors\/network\/port\//]
const ACTOR_TYPES = [
  /^actors\/(.*\/)?(ports|instance-reader)\.ts$/,
  /^actors\/network\/port\//,
  /^actors\/operations\//,
]

/** The first rule whose room a file is in counts. */
export const rules: readonly Rule[] = [
  {
    room: 'lib/',
    may: [],
    neverPackages: [BAILEYS, /^(pg|ioredis|bull|koa)/],
    why: 'Helpers of everybody, which know nothing of ours.',
  },
  {
    room: 'schemas/',
    may: ['lib/'],
    neverPackages: [BAILEYS],
    why: 'Everyone shares the schemas, so they know nobody.',
  },
  {
    room: 'actors/instance/instance.ts',
    may: ['lib/', 'schemas/', 'actors/'],
    neverPackages: [BAILEYS, /^(pg|ioredis|bull|koa)/],
    why: 'The kernel of an instance and the features above it are put together here.',
  },
  {
    room: 'actors/instance/',
    may: [
      'lib/',
      'schemas/',
      'actors/network/disconnects.ts',
      'actors/network/port/change-unanswered.ts',
      'actors/network/port/sent-frames.ts',
    ],
    mayTypes: KERNEL_TYPES,
    neverPackages: [BAILEYS, /^(pg|ioredis|bull|koa)/],
    why: 'The kernel knows no feature and no operation: a feature meets it through `feature.ts`. It runs in a test with no socket, no Redis and no database: say what it needs in a port.',
  },
  ...['campaigns', 'agents'].map((feature) => ({
    room: `actors/${feature}/`,
    may: ['lib/', 'schemas/', 'actors/instance/'],
    mayTypes: ACTOR_TYPES,
    neverPackages: [BAILEYS, /^(pg|ioredis|bull|koa)/],
    why: 'A feature knows the kernel of its instance, and no other feature.',
  })),
  {
    room: 'actors/operations/',
    may: ['lib/', 'schemas/', 'actors/instance/', 'actors/agents/'],
    mayTypes: [...ACTOR_TYPES, /^actors\/campaigns\/campaigns\.ts$/],
    neverPackages: [BAILEYS, /^(pg|ioredis|bull|koa)/],
    why: 'An operation works with the context of its instance: add what it needs to the context.',
  },
  {
    room: 'actors/',
    may: ['lib/', 'schemas/'],
    neverPackages: [/^(pg|ioredis|bull|koa)/],
    why: 'Actors know the schemas and their own ports only.',
  },
  ...['store', 'cluster', 'queues', 'delivery', 'outgoing', 'media', 'agents'].map((part) => ({
    room: `runtime/${part}/`,
    may: ['lib/', 'schemas/', 'runtime/connect/', 'runtime/work/', 'runtime/readable-stack.ts'],
    mayTypes: [...ACTOR_TYPES, /^runtime\//],
    neverPackages: [BAILEYS, /^koa/],
    why: 'Each part of the runtime is readable and testable alone: take the others as arguments, import only their types. How the stores are reached, how work is shared and how stacks read is one for all.',
  })),
  {
    room: 'runtime/doctor/',
    may: ['lib/', 'schemas/', 'runtime/', 'actors/network/', 'api/listen-errors.ts'],
    neverPackages: [BAILEYS, /^koa/],
    why: 'The doctor looks at everything from outside: it uses what connects, and nothing that changes something.',
  },
  {
    room: 'runtime/node/',
    may: ['lib/', 'schemas/', 'actors/', 'api/', 'runtime/'],
    why: 'The parts of a node are put together here, so this room may know all others. None of them may need it: add a port instead.',
  },
  {
    room: 'runtime/supervisor.ts',
    may: ['lib/', 'schemas/', 'runtime/', 'api/listen-errors.ts'],
    neverPackages: [/./],
    why: 'The supervisor is small, whatever its processes hold: it starts them and the embedded servers, and does nothing else.',
  },
  {
    room: 'runtime/',
    may: ['lib/', 'schemas/'],
    mayTypes: ACTOR_TYPES,
    neverPackages: [BAILEYS, /^koa/],
    why: 'The runtime serves the actors and the API; it does not know them.',
  },
  {
    room: 'api/',
    may: ['lib/', 'schemas/'],
    mayTypes: ACTOR_TYPES,
    neverPackages: [BAILEYS, /^(pg|bull)$/],
    why: 'A route cannot tell on which node an instance lives: ask the ports.',
  },
  {
    room: 'sandbox/',
    may: ['lib/package-root.ts'],
    neverPackages: [/^(pg|ioredis|bull|koa)/],
    why: 'The sandbox is a network, not a mock of us: it knows the codecs of the network and nothing of ours.',
  },
  {
    room: 'clients/typescript/src/',
    may: [],
    neverPackages: [/./],
    why: 'The client is a package of its own, without dependencies, for Node.js, browsers and edge runtimes.',
  },
  {
    room: 'clients/n8n/',
    may: [],
    neverPackages: [/^(?!n8n-workflow$)/],
    why: 'The nodes of n8n are a package of their own; verified nodes have no dependencies at run time.',
  },
  {
    room: 'cli/',
    may: ['clients/typescript/src/', 'lib/package-root.ts'],
    why: 'The command line is a client of the public API; it starts the gateway, and knows nothing of them.',
  },
  {
    room: 'dashboard/src/',
    may: ['schemas/number-text.ts'],
    mayTypes: [/^schemas\/(generated|errors)\.ts$/],
    why: 'The dashboard is a client of the public API: it shares types with the gateway, and of its code only how numbers are read: two readings would differ.',
  },
]

export interface Violation {
  readonly file: string
  readonly imports: string
  readonly why: string
}

const IMPORT = /^(?:import|export)\s+(type\s)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm

/** Every import below `root` that breaks a rule. Tests may import what they test with, so they are left out. */
export function violations(root: string): { filesSeen: number; violations: readonly Violation[] } {
  const found: Violation[] = []
  let filesSeen = 0
  for (const file of sources(root, '')) {
    const rule = rules.find(({ room }) => file.startsWith(room))
    if (rule === undefined) continue
    filesSeen += 1
    for (const [, typeOnly, specifier] of readFileSync(path.join(root, file), 'utf8').matchAll(IMPORT)) {
      if (specifier === undefined || specifier.startsWith('node:')) continue
      if (!isAllowed(rule, file, specifier, typeOnly !== undefined))
        found.push({ file, imports: specifier, why: rule.why })
    }
  }
  return { filesSeen, violations: found }
}

/** Folders of what the image runs. */
const IMAGE_ROOMS = /^(actors|api|lib|runtime|schemas)\//
/** Programs of the image (`scripts/bundle.ts`). */
const PROGRAMS = [
  'runtime/main.ts',
  'runtime/backup/main.ts',
  'runtime/doctor/main.ts',
  'runtime/embedded/main.ts',
  'runtime/shards.ts',
]
/** A module that an import, or the start of a thread, names. */
const MODULE = /['"](\.{1,2}\/[^'"]+)\.js['"]/g

/** Returns the files of those folders that no program reaches: code for tests, or unused code. */
export function unreachedFiles(root: string): readonly string[] {
  const reached = new Set<string>()
  const left = [...PROGRAMS]
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    const place = path.join(root, file)
    if (reached.has(file) || !existsSync(place)) continue
    reached.add(file)
    for (const [, name = ''] of readFileSync(place, 'utf8').matchAll(MODULE))
      left.push(`${path.posix.join(path.posix.dirname(file), name)}.ts`)
  }
  return [...sources(root, '')].filter((file) => IMAGE_ROOMS.test(file) && !reached.has(file))
}

function isAllowed(rule: Rule, file: string, specifier: string, isTypeOnly: boolean): boolean {
  if (!specifier.startsWith('.'))
    return isTypeOnly || !(rule.neverPackages ?? []).some((never) => never.test(specifier))
  const target = path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts')
  if (target.startsWith(rule.room) || rule.may.some((start) => target.startsWith(start))) return true
  return isTypeOnly && (rule.mayTypes ?? []).some((allowed) => allowed.test(target))
}

function* sources(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!['node_modules', 'dist', 'data'].includes(entry.name) && !entry.name.startsWith('.'))
        yield* sources(root, name)
    } else if (/\.tsx?$/.test(name) && !/\.(test|integration|faults|long)\.ts$/.test(name)) yield name
  }
}

/** Files that may be short and have one user: each is started, listed or tested by itself. */
const SHORT_ON_PURPOSE =
  /\/(main|index)\.ts$|-worker\.ts$|^runtime\/(queues\/processors|metrics|store\/reads)\/|^api\/(middleware|mcp\/tools)\//
const LINES_MAX = 500
const SHORT_LINES = 25
/** Short files of one user that no rule explains; fewer are welcome. */
const SHORT_LEFT_MAX = 9

/** Returns the files of the main rooms that are too long, and the short ones that only one other file needs, if they are more than before. */
export function misshapenFiles(root: string): readonly string[] {
  const users = new Map<string, number>()
  const lengths = new Map<string, number>()
  for (const file of sources(root, '')) {
    if (!IMAGE_ROOMS.test(file) || file.endsWith('generated.ts')) continue
    const text = readFileSync(path.join(root, file), 'utf8')
    lengths.set(file, text.split('\n').length - 1)
    for (const [, name = ''] of text.matchAll(MODULE)) {
      const used = `${path.posix.join(path.posix.dirname(file), name)}.ts`
      users.set(used, (users.get(used) ?? 0) + 1)
    }
  }
  const long = [...lengths].filter(([, lines]) => lines > LINES_MAX).map(([file]) => `${file} is too long`)
  const short = [...lengths]
    .filter(([file, lines]) => lines < SHORT_LINES && (users.get(file) ?? 0) < 2 && !SHORT_ON_PURPOSE.test(file))
    .map(([file]) => `${file} is short, and one file needs it`)
  return short.length > SHORT_LEFT_MAX ? [...long, ...short] : long
}

// Ours: a line of our own code.
const EXPORTED = /^export (?:abstract |async )?(?:function\*?|class|const|interface|type|enum) (\w+)/gm

/** Returns the names that two files of the main rooms export: whoever reads one of them must look where it comes from. */
export function repeatedNames(root: string): readonly string[] {
  const places = new Map<string, string>()
  const repeated: string[] = []
  for (const file of sources(root, '')) {
    if (!IMAGE_ROOMS.test(file) || file.endsWith('generated.ts') || file.includes('/migrations/')) continue
    for (const [, name = ''] of readFileSync(path.join(root, file), 'utf8').matchAll(EXPORTED)) {
      const other = places.get(name)
      if (other !== undefined && other !== file) repeated.push(`${name} is exported by ${other} and ${file}`)
      places.set(name, file)
    }
  }
  return repeated
}

/** Ways to make HTML or code of text, which what strangers write must never meet, and stores that outlive the sign-in. */
const REFUSED_IN_PAGES =
  /dangerouslySetInnerHTML|\b(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)\b|\beval\(|new Function\(|document\.(write|cookie)|indexedDB/
/** Only these call the gateway. */
const CALLERS = /^dashboard\/src\/(api|hooks)\//

/** Returns the files of the dashboard that make HTML of text, or call the gateway although they only draw. */
export function unsafePages(root: string): readonly string[] {
  return [...sources(root, 'dashboard/src')].filter((file) => {
    const text = readFileSync(path.join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    const calls = !CALLERS.test(file) && (/\bfetch\(/.test(text) || /import \{[^}]*\bcall\b[^}]*\} from/.test(text))
    return REFUSED_IN_PAGES.test(text) || calls
  })
}

/** Modules that open connections; importing types of them does not. */
const CONNECTING = /^(undici|ws|node:(https?|net|tls|dgram))$/
const GLOBAL_FETCH = /(?:await|return|=|=>|\() *fetch\(/
const CONNECTING_ROOMS = /^((actors|runtime)\/|api\/|(main|doctor)\.ts$)/

/** The files of the program that can open a connection, or listen for one. */
export function connectingFiles(root: string): readonly string[] {
  return [...sources(root, '')].filter((file) => {
    if (!CONNECTING_ROOMS.test(file)) return false
    const text = readFileSync(path.join(root, file), 'utf8')
    const imports = [...text.matchAll(IMPORT)].some(
      ([whole, typeOnly, specifier = '']) =>
        typeOnly === undefined && CONNECTING.test(specifier) && !/\{\s*(type \w+,?\s*)+\}/.test(whole),
    )
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    return imports || (GLOBAL_FETCH.test(code) && !/(function|const|async) fetch\b/.test(code))
  })
}
