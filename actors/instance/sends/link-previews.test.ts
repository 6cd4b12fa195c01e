import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { UploadedMedia } from '../../network/port/media.js'
import { previewUploads, withPreviewPicture } from './prepare-media.js'

describe('the large picture of a link preview', () => {
  const uploads = [{ directPath: '/v' } as UploadedMedia]
  const linkPreview = {
    url: 'https://a.example/',
    thumbnail: 'SMALL',
    picture: { media: 'preview', mimetype: 'image/jpeg', file: { name: 'outgoing/a', sizeBytes: 1 } },
  } as const

  it('is not waited for longer than a text may wait', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    assert.equal(await previewUploads(Promise.resolve(uploads)), uploads)
    assert.deepEqual(await previewUploads(Promise.reject(new Error('refused'))), [])
    const late = previewUploads(new Promise(() => {}))
    t.mock.timers.tick(10_000)
    assert.deepEqual(await late, [])
  })

  it('is left out with a warning when it is missing, and without one when the caller did not request it', () => {
    const content = { kind: 'text', text: 'see https://a.example/', linkPreview } as const
    assert.deepEqual(withPreviewPicture(content, uploads, ['before']).outgoing, { ...content, uploaded: uploads[0] })
    const { outgoing, warnings } = withPreviewPicture(content, [], ['before'])
    assert.deepEqual([outgoing, warnings.length], [content, 2])
    const plain = { kind: 'text', text: 'nothing to see' } as const
    assert.deepEqual(withPreviewPicture(plain, [], []), { outgoing: plain, warnings: [] })
  })
})
