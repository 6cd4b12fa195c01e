/**
 * Plugin of esbuild that takes out of two libraries what a process would hold all its life without using it. A new version of one in another
 * form fails the build here.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'esbuild'

/** @param folder The folder of the programs, into which the files of WebAssembly go. */
export function leanLibraries(folder: string): Plugin {
  return {
    name: 'lean-libraries',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]baileys[\\/]WAProto[\\/]index\.js$/ }, ({ path: file }) => ({
        contents: lazyClasses(readFileSync(file, 'utf8')),
      }))
      onLoad({ filter: /[\\/]whatsapp-rust-bridge[\\/]dist[\\/]index\.js$/ }, ({ path: file }) => {
        const { text, modules } = withoutModules(readFileSync(file, 'utf8'))
        mkdirSync(folder, { recursive: true })
        for (const [name, bytes] of modules) writeFileSync(path.join(folder, name), bytes)
        return { contents: text }
      })
    },
  }
}

/** Opens the definition of a class or of an enumeration, as pbjs writes it: `owner.Name = (function() {`. */
const OPENING = /^( +)(\w+)\.(\w+) = \(function\(\) \{$/gm
const CLOSING = /^( +)\}\)\(\);$/gm
/** A property that says whether an optional field is set. Nobody reads it. */
const VIRTUAL_ONE_OF =
  /^ *\/\/ Virtual OneOf for proto3 optional field\n *Object\.defineProperty\(\w+\.prototype, "_\w+", \{\n.*\n.*\n *\}\);\n/gm
/** What the option `oneofs` of conversions adds for it. Nobody gives that option. */
const VIRTUAL_ONE_OF_NAME = /^ *if \(o\.oneofs\)\n *d\._\w+ = "\w+";\n/gm

const LAZILY = `function lazily(owner, name, define) {
  const set = (value) => { Object.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true }) }
  const get = () => { const value = define(); set(value); return value }
  Object.defineProperty(owner, name, { get, set, enumerable: true, configurable: true })
}
`

/** Defines each class and enumeration of the network's protocol when it is first used. A node uses few of the 670. */
export function lazyClasses(text: string): string {
  const opened = count(text, OPENING)
  if (opened < 500 || opened !== count(text, CLOSING)) throw otherForm('WAProto')
  const lean = text
    .replace(VIRTUAL_ONE_OF, '')
    .replace(VIRTUAL_ONE_OF_NAME, '')
    .replace(OPENING, '$1lazily($2, "$3", function() {')
    .replace(CLOSING, '$1});')
  if (/defineProperty\(\w+\.prototype, "_/.test(lean)) throw otherForm('WAProto')
  return lean + LAZILY
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
