/** `node copy-icons.mjs [folder]`: puts the icons where the compiled nodes look for them. */
import { cpSync } from 'node:fs'
import path from 'node:path'

cpSync(path.join(import.meta.dirname, 'icons'), path.join(process.argv[2] ?? 'dist', 'icons'), { recursive: true })
