// Sends a picture from a file, with a text below it.
import { readFile } from 'node:fs/promises'
import { createPosthorn } from 'posthorn-client'

const { POSTHORN_URL, POSTHORN_TOKEN, CUSTOMER, PICTURE } = process.env
const posthorn = createPosthorn({ url: POSTHORN_URL, token: POSTHORN_TOKEN })
// A URL works too: file: 'https://example.org/picture.png'.
const file = (await readFile(PICTURE)).toString('base64')
const { messageid, fileURL } = await posthorn.sendMedia({ number: CUSTOMER, type: 'image', file, text: 'Look!' })
console.log(JSON.stringify({ messageid, fileURL }))
