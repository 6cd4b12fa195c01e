import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KnowledgeFileType, knowledgeContent } from './knowledge-content.js'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const PDF = '%PDF-1.4 and so on'

describe('the content of knowledge', () => {
  it('is told apart by itself, and by fileType where it does not tell', () => {
    for (const [content, fileType, expected] of [
      ['We are open', '', 'text txt'],
      ['a,b\n1,2', 'csv', 'text csv'],
      ['<p>Hi</p>', 'html', 'text html'],
      ['https://example.com/a.pdf', 'pdf', 'url'],
      [' http://example.com ', '', 'url'],
      ['https://example.com is our page', '', 'text txt'],
      // Words that could be base64 are words.
      ['Opening', '', 'text txt'],
      ['OpeningHoursSaturdayMorning1', '', 'text txt'],
      ['OpeningHoursSaturdayMorning1', 'txt', 'text txt'],
      [base64('We are open from 8 to 5'), 'txt', 'file txt'],
      [base64('We are open from 8 to 5'), '', 'text txt'],
      [base64(PDF), '', 'file pdf'],
      [base64(PDF).replace(/.{10}/g, '$&\r\n'), 'pdf', 'file pdf'],
      [`data:application/pdf;base64,${base64(PDF)}`, '', 'file pdf'],
      [`data:text/csv;charset=utf-8;base64,${base64('a,b\n1,2')}`, '', 'file csv'],
      [base64(`<!DOCTYPE html><p>${'long '.repeat(2_000)}</p>`), '', 'file html'],
      [base64('long '.repeat(2_000)), '', 'file txt'],
    ] as const) {
      const found = knowledgeContent(content, fileType)
      assert.equal(found.kind === 'url' ? 'url' : `${found.kind} ${found.type}`, expected, content.slice(0, 40))
    }
  })

  it('is refused when it is not what fileType says', () => {
    for (const [content, fileType, why] of [
      ['We are open', 'pdf', /is not a PDF file/],
      [base64(PDF), 'csv', /is a PDF file, and fileType is csv/],
      [`data:application/pdf;base64,${base64('no PDF at all')}`, '', /is not a PDF file/],
      ['data:text/plain,plain', '', /must be base64/],
      [`data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n\x00\x00').toString('base64')}`, '', /another type/],
      ['https://[', '', /is not a valid URL/],
      [`https://example.com/${'a'.repeat(5_000)}`, '', /at most 4096/],
    ] as const) {
      assert.throws(() => knowledgeContent(content, fileType as KnowledgeFileType), why, content.slice(0, 40))
    }
  })
})
