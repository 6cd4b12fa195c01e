/**
 * Plugin of esbuild that takes out of libraries what a process would hold all its life without using it, or compute for each message. A new
 * version of one in another form fails the build here.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Plugin, transformSync } from 'esbuild'

/** @param folder The folder of the programs, into which the files go that they read while they run. */
export function leanLibraries(folder: string): Plugin {
  const write = (name: string, bytes: Buffer | string): void => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, name), bytes)
  }
  return {
    name: 'lean-libraries',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^(lodash|cron-parser|msgpackr)$/ }, ({ path: name, importer, kind }) => {
        // Modules that a function of these loads when it is called.
        if (importer.startsWith(LIGHT)) return { path: name, external: true }
        if (!/[\\/]bull[\\/]lib[\\/]/.test(importer) || kind !== 'require-call') return null
        return { path: `${LIGHT}${name}`, namespace: LIGHT, pluginData: path.dirname(importer) }
      })
      onLoad({ filter: /./, namespace: LIGHT }, ({ path: name, pluginData }) => ({
        contents: lightModule(name.slice(LIGHT.length)),
        resolveDir: pluginData as string,
      }))
      onLoad({ filter: /[\\/]baileys[\\/]WAProto[\\/]index\.js$/ }, ({ path: file }) => {
        const { text, name, classes } = lazyClasses(readFileSync(file, 'utf8'), minified)
        write(name, classes)
        return { contents: text }
      })
      onLoad({ filter: /[\\/]baileys[\\/]lib[\\/]Utils[\\/]message-retry-manager\.js$/ }, ({ path: file }) => ({
        contents: growingCaches(readFileSync(file, 'utf8')),
      }))
      onLoad({ filter: /[\\/]baileys[\\/]lib[\\/]Utils[\\/]generics\.js$/ }, ({ path: file }) => ({
        contents: withoutStacks(readFileSync(file, 'utf8')),
      }))
      onLoad({ filter: /[\\/]whatsapp-rust-bridge[\\/]dist[\\/]index\.js$/ }, ({ path: file }) => {
        const { text, modules } = withoutModules(readFileSync(file, 'utf8'))
        for (const [name, bytes] of modules) write(name, bytes)
        return { contents: text }
      })
    },
  }
}

function minified(body: string): string {
  const options = { minifyWhitespace: true, minifySyntax: true, charset: 'ascii', legalComments: 'none' } as const
  const { code } = transformSync(`export default function(){${body}}`, options)
  const [, text] = /^export default function\(\)\{([\s\S]*)\}\n$/.exec(code) ?? []
  if (text === undefined) throw otherForm('WAProto')
  return text
}

/** Opens the definition of a class or of an enumeration, as pbjs writes it: `owner.Name = (function() {`. */
const OPENING = /^( +)(\w+)\.(\w+) = \(function\(\) \{$/gm
const CLOSING = /^( +)\}\)\(\);$/gm
/** A property that says whether an optional field is set. Nobody reads it. */
const VIRTUAL_ONE_OF =
  /^ *\/\/ Virtual OneOf for proto3 optional field\n *Object\.defineProperty\(\w+\.prototype, "_\w+", \{\n.*\n.*\n *\}\);\n/gm
/** What the option `oneofs` of conversions adds for it. Nobody gives that option. */
const VIRTUAL_ONE_OF_NAME = /^ *if \(o\.oneofs\)\n *d\._\w+ = "\w+";\n/gm

/** What the definitions of the library use around them. */
const AROUND = '$protobuf, $root, $util, $Reader, $Writer, longToString, longToNumber'
const READS = `import { openSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
`

const lazily = (file: string) => `function lazily(owner, name, start, length) {
  const set = (value) => { Object.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true }) }
  const get = () => { const value = definition(start, length)(${AROUND}, lazily); set(value); return value }
  Object.defineProperty(owner, name, { get, set, enumerable: true, configurable: true })
}
const definitions = fileURLToPath(new URL('./${file}', import.meta.url))
const openDefinitions = openSync(definitions)
function definition(start, length) {
  const bytes = Buffer.allocUnsafe(length)
  if (readSync(openDefinitions, bytes, 0, length, start) !== length) throw new Error(definitions + ' is cut short.')
  return compileFunction('"use strict";' + bytes.latin1Slice(), ${JSON.stringify([...AROUND.split(', '), 'lazily'])}, { filename: definitions })
}
`

interface LazyClasses {
  readonly text: string
  /** Name of the file of the definitions. Another content has another name. */
  readonly name: string
  readonly classes: string
}

/**
 * Reads the definition of each class and enumeration of the network's protocol from a file when it is first used. A node uses few of the 670,
 * and their text is 2 MiB.
 * @param minify Shortens the body of a function.
 */
export function lazyClasses(text: string, minify: (body: string) => string = (body) => body): LazyClasses {
  const opened = count(text, OPENING)
  if (opened < 500 || opened !== count(text, CLOSING)) throw otherForm('WAProto')
  const lean = text.replace(VIRTUAL_ONE_OF, '').replace(VIRTUAL_ONE_OF_NAME, '')
  if (/defineProperty\(\w+\.prototype, "_/.test(lean) || /[^\0-\x7f]/.test(lean)) throw otherForm('WAProto')
  const { main, classes } = apart(lean, minify)
  const name = `network-classes-${createHash('sha256').update(classes).digest('hex').slice(0, 16)}.js`
  return { text: READS + main + lazily(name), name, classes }
}

/** Takes the bodies of all definitions out of the text, those within others too. */
function apart(text: string, minify: (body: string) => string): { main: string; classes: string } {
  let classes = ''
  const main: string[] = []
  const open: { readonly call: string; readonly indent: string; readonly lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const [opening, indent = '', owner, name] = new RegExp(OPENING.source).exec(line) ?? []
    const closing = new RegExp(CLOSING.source).exec(line)
    if (opening !== undefined) open.push({ call: `${indent}lazily(${owner}, "${name}"`, indent, lines: [] })
    else if (closing !== null) {
      const definition = open.pop()
      if (definition === undefined || definition.indent !== closing[1]) throw otherForm('WAProto')
      const body = minify(definition.lines.join('\n'))
      const lines = open.at(-1)?.lines ?? main
      lines.push(`${definition.call}, ${classes.length}, ${body.length});`)
      classes += `${body}\n`
    } else (open.at(-1)?.lines ?? main).push(line)
  }
  return { main: main.join('\n'), classes }
}

/** Opens the paths of the modules that Bull gets instead of three libraries. */
const LIGHT = 'light:'

/** Functions of Lodash that Bull uses. A new version of Bull that uses another one fails a test. */
export const OF_LODASH = [
  ...[
    'assign',
    'bind',
    'ceil',
    'cloneDeep',
    'defaults',
    'defaultsDeep',
    'each',
    'get',
    'indexOf',
    'isEmpty',
    'isFinite',
    'isFunction',
  ],
  ...['isObject', 'isString', 'isUndefined', 'last', 'map', 'min', 'size', 'zipObject'],
]

/**
 * Returns the text of a module with what Bull uses of a library: of Lodash single functions, of msgpackr what packs. Repeated jobs and counts of
 * jobs load the libraries themselves, since no node has such ones.
 */
function lightModule(name: string): string {
  switch (name) {
    case 'lodash': {
      const functions = OF_LODASH.map((method) => `${method}: require('lodash/${method}')`)
      return `module.exports = { ${functions.join(', ')}, chain: (value) => require('lodash').chain(value) }`
    }
    case 'cron-parser':
      return `exports.parseExpression = (...args) => require('cron-parser').parseExpression(...args)`
    default:
      return `export { Packr } from '../../msgpackr/pack.js'`
  }
}

/** The maximum of a cache, with which an LRUCache takes the places of all entries at once. */
const CACHE_MAX = /^( +)max: (\w+),$/gm

/** Lets two caches of each account grow as they fill. They took 71 KiB at once, and are empty most of the time. */
export function growingCaches(text: string): string {
  if (count(text, CACHE_MAX) !== 2) throw otherForm('MessageRetryManager')
  return text.replace(CACHE_MAX, '$1maxSize: $2,\n$1sizeCalculation: () => 1,')
}

const STACK = 'const stack = new Error().stack;'
/** The error that ends a timer which nobody awaits. */
const CANCELLED = / *reject\(new Boom\('Cancelled', \{[^}]*\{[^}]*\}[^}]*\}\)\);\n/g

/**
 * Lets the timer of a request to the network end without three errors and their stacks, which take longer than the request. A request that
 * timed out still rejects with its error.
 */
export function withoutStacks(text: string): string {
  if (text.split(STACK).length !== 3 || count(text, CANCELLED) !== 1) throw otherForm('generics.js')
  return text.replaceAll(STACK, "const stack = '';").replace(CANCELLED, '')
}

/** A module of WebAssembly in the text of a program. */
const MODULE = /"(AGFzbQ[\w+/=]{100000,})"/g
/** The function that makes bytes of such a text. */
const DECODER = 'function base64ToUint8Array(base64) {\n'
const READER = `${DECODER}  return readModule(new URL(base64, import.meta.url));\n`
const IMPORT = `import { readFileSync as readModule } from 'node:fs'\n`

interface WithoutModules {
  readonly text: string
  readonly modules: ReadonlyMap<string, Buffer>
}

/** Reads modules of WebAssembly from files when they are made, and only the one that the processor can run. */
export function withoutModules(text: string): WithoutModules {
  const modules = new Map<string, Buffer>()
  const lean = text.replace(MODULE, (_, base64: string) => {
    const name = `network-${modules.size + 1}.wasm`
    modules.set(name, Buffer.from(base64, 'base64'))
    return `"./${name}"`
  })
  if (modules.size !== 2 || lean.split(DECODER).length !== 2) throw otherForm('whatsapp-rust-bridge')
  return { text: IMPORT + lean.replace(DECODER, READER), modules }
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}

function otherForm(library: string): Error {
  return new Error(
    `${library} has another form than scripts/lean-libraries.ts knows: look at it, or leave it as it is.`,
  )
}
