import assert from 'node:assert/strict'
import { it } from 'node:test'
import { settings } from '../runtime/config/reader.js'
import { configurationPage } from './configuration-page.js'
import { readPage, sourcePages } from './docs-site/source-pages.js'

it('the page of the configuration has every setting once, with its default, under a title', () => {
  const page = configurationPage()
  for (const [name, setting] of settings) {
    const rows = page.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`))
    assert.equal(rows.length, 1, name)
    if (setting.default !== undefined) assert.ok(rows[0]?.includes(String(setting.default)), name)
  }
  assert.match(page, /^## The WhatsApp network$/m)
})

/** Pages that explain a subject. The list of all settings, other generated pages and records of the past do not. */
const SUBJECTS = /^docs\/(guides|operations|design\/ownership|limits|reference\/(api-conventions|choices))/

it('each setting is named in the page of its subject', () => {
  const text = sourcePages()
    .filter((file) => SUBJECTS.test(file))
    .map((file) => readPage(file))
    .join('\n')
  const named = new Set(text.match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)*\b/g))
  assert.deepEqual(
    [...settings.keys()].filter((name) => !named.has(name)),
    [],
  )
})
