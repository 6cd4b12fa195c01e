import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { packageRoot } from '../lib/package-root.js'

/** Maximum of kilobytes (1,000 bytes) after gzip. */
const FIRST_SCRIPTS_KB = 120
const STYLES_KB = 32
const ALL_KB = 600
/** The list of instances with everything before it. */
const INSTANCES_KB = 210
/** Scripts of another page beside those before the sign-in, and of a part that loads later beside those of the part that asks for it. */
const MORE_KB = 60

const folder = path.join(packageRoot, 'dist', 'dashboard')
const page = readFileSync(path.join(folder, 'index.html'), 'utf8')
const files = readdirSync(path.join(folder, 'assets')).filter((name) => /\.(js|css)$/.test(name))
const scripts = new Map(
  files
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(path.join(folder, 'assets', name), 'utf8')]),
)
const kilobytes = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(path.join(folder, 'assets', name))).length, 0) / 1_000

describe('the built dashboard', () => {
  it('is small', (t) => {
    const first = files.filter((name) => name.endsWith('.js') && page.includes(`assets/${name}`))
    const styles = files.filter((name) => name.endsWith('.css'))
    const sizes = { first: kilobytes(first), styles: kilobytes(styles), all: kilobytes(files) }
    t.diagnostic(JSON.stringify(sizes))
    assert.ok(first.length > 0)
    assert.ok(sizes.first <= FIRST_SCRIPTS_KB, `${sizes.first} KB of scripts before the sign-in`)
    assert.ok(sizes.styles <= STYLES_KB, `${sizes.styles} KB of styles`)
    assert.ok(sizes.all <= ALL_KB, `${sizes.all} KB in all`)
  })

  it('loads little more for each page, and for each part of a page that loads later', (t) => {
    const first = loadedWith([...scripts.keys()].filter((name) => page.includes(`assets/${name}`)))
    const sizes = pages().map(({ name, frame }) => {
      const more = [...loadedWith([findChunk(name), ...(frame === undefined ? [] : [findChunk(frame)])])]
      return measureSize(name, more, first)
    })
    const named = new Set(pages().map(({ name }) => findChunk(name)))
    for (const [name, askers] of laterFiles())
      if (!named.has(name)) {
        const [asker = new Set<string>(), ...others] = askers.map((one) => new Set([...first, ...loadedWith([one])]))
        const known = new Set([...asker].filter((file) => others.every((other) => other.has(file))))
        sizes.push(measureSize(name, [...loadedWith([name])], known))
      }
    for (const { name, kb, count } of sizes.toSorted((one, other) => other.kb - one.kb))
      t.diagnostic(`${kb.toFixed(1).padStart(5)} KB in ${String(count).padStart(2)} files: ${name}`)
    const instances = kilobytes([...first]) + (sizes.find(({ name }) => name === 'instances')?.kb ?? Number.NaN)
    assert.ok(instances <= INSTANCES_KB, `${instances} KB of scripts for the list of instances`)
    const large = sizes.filter(({ name, kb }) => name !== 'instances' && kb > MORE_KB)
    assert.deepEqual(large, [], `more than ${MORE_KB} KB`)
  })

  it('has nothing inline, and only relative addresses', () => {
    assert.doesNotMatch(page, /<style|<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/)
    for (const [, address = ''] of page.matchAll(/(?:src|href)="([^"]*)"/g)) assert.match(address, /^\.\//)
  })

  it('has the licences of what it holds of others', () => {
    const licences = readFileSync(path.join(folder, 'licences.txt'), 'utf8')
    for (const name of ['react-dom', '@tanstack/react-router', '@base-ui/react', 'lucide-react'])
      assert.ok(licences.includes(name), name)
  })
})

interface Size {
  readonly name: string
  readonly kb: number
  readonly count: number
}

function measureSize(name: string, loaded: readonly string[], first: ReadonlySet<string>): Size {
  const more = loaded.filter((one) => !first.has(one))
  return { name, kb: kilobytes(more), count: more.length }
}

/** Returns the pages that load later, with the page around them. */
function pages(): readonly { readonly name: string; readonly frame: string | undefined }[] {
  const routes = readFileSync(path.join(packageRoot, 'dashboard', 'src', 'routes.tsx'), 'utf8')
  const found = routes.matchAll(/getParentRoute: \(\) => (\w+),[\s\S]*?import\('\.\/pages\/([\w-]+)\.js'\)/g)
  return [...found].map(([, parent, name = '']) => ({
    name,
    frame: parent === 'instanceFrame' ? 'instance-frame' : undefined,
  }))
}

/** Returns the file in which a page begins. */
function findChunk(name: string): string {
  const form = new RegExp(`^${name}-[\\w-]{8}\\.js$`)
  const found = [...scripts.keys()].filter((one) => form.test(one))
  assert.equal(found.length, 1, `files of the page ${name}`)
  return found[0] ?? ''
}

/** Returns the files that are imported while a page is shown, each with the files that ask for it. */
function laterFiles(): ReadonlyMap<string, readonly string[]> {
  const later = new Map<string, string[]>()
  for (const [asker, text] of scripts)
    for (const [, name = ''] of text.matchAll(/import\([`"]\.\/([^`"]+\.js)[`"]\)/g))
      later.set(name, [...(later.get(name) ?? []), asker])
  return later
}

/** Returns these files, and those that they need before they run. */
function loadedWith(names: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>()
  const add = (name: string) => {
    const text = scripts.get(name)
    if (text === undefined || loaded.has(name)) return
    loaded.add(name)
    for (const [, other = ''] of text.matchAll(/(?:from|import)[`"]\.\/([^`"]+\.js)[`"]/g)) add(other)
  }
  for (const name of names) add(name)
  return loaded
}
