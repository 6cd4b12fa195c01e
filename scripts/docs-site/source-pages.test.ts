import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSlugs, slugsOf } from './headings.js'
import { deadLinks, readPage, sourcePages } from './source-pages.js'

describe('links of the documentation', () => {
  it('lead to files and headings that exist', () => {
    const pages = sourcePages()
    assert.ok(pages.length > 40, `${pages.length} pages`)
    assert.deepEqual(deadLinks(pages), [])
  })

  it('are reported when their file or heading is missing', () => {
    const page = '[a](gone.md) [b](limits.md#nowhere) [c](limits.md) [d](https://example.org/x) `[e](no-link.md)`'
    assert.deepEqual(
      deadLinks(['docs/new.md'], (file) => (file === 'docs/new.md' ? page : readPage(file))),
      ['docs/new.md: gone.md does not exist.', 'docs/new.md: limits.md#nowhere names no heading of that page.'],
    )
  })
})

describe('names of headings', () => {
  it('are those of GitHub', () => {
    assert.deepEqual(
      [...slugsOf('# WAHA, engine NOWEB\n## `GET /chats`\n```sh\n# no heading\n```\n## A [link](x.md)\n## Olá, você')],
      ['waha-engine-noweb', 'get-chats', 'a-link', 'olá-você'],
    )
    const slug = createSlugs()
    assert.deepEqual([slug('Errors'), slug('Errors')], ['errors', 'errors-1'])
  })
})
