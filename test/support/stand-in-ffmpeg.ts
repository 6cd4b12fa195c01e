/** Stands in for ffmpeg where there is none: a program that is called as ffmpeg is, and writes the requested output. */
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Cleanup } from './cleanup.js'
import { testFolder } from './embedded.js'
import { opus } from './samples.js'

export interface StandIn {
  readonly program: string
  /** The bytes of every voice note that it makes. */
  readonly voiceNote: Buffer
  /** The bytes of every MP3 that it makes. */
  readonly mp3: Buffer
}

/** Sounds with `FAIL` in them are an error to it, and those with `HANG` keep it for ever. */
export function standInFfmpeg(t: Cleanup): StandIn {
  const folder = testFolder(t)
  const [voiceNote, mp3] = [opus(), Buffer.from('ID3 stands for sound')]
  const program = path.join(folder, 'ffmpeg')
  const script = `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require('node:fs')
const args = process.argv.slice(2)
const given = readFileSync(args[args.indexOf('-i') + 1].replace('file:', ''))
const [format, output] = [args[args.lastIndexOf('-f') + 1], args.at(-1)]
if (!args.includes('-nostdin') || args[args.indexOf('-protocol_whitelist') + 1] !== 'file,pipe') process.exit(3)
if (args.indexOf('-format_whitelist') > args.indexOf('-i')) process.exit(3)
if (given.includes('FAIL')) { console.error(output + ': Invalid data found'); process.exit(1) }
if (given.includes('HANG')) setInterval(() => {}, 1000)
else if (output === 'pipe:1') process.stdout.write(Buffer.alloc(64000, 100))
else writeFileSync(output.replace('file:', ''), Buffer.from(format === 'mp3' ? '${mp3.toString('base64')}' : '${voiceNote.toString('base64')}', 'base64'))
`
  writeFileSync(program, script)
  chmodSync(program, 0o755)
  return { program, voiceNote, mp3 }
}
