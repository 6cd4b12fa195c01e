/** `npm run docs`: builds the documentation into `dist/docs` and serves it on this machine; `-- --build` builds only, `-- --port 4001` takes another port. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../lib/package-root.js'
import { buildSite } from './docs-site/build-site.js'
import { serveFolder } from './docs-site/serve-folder.js'

const PORT = '4321'

const { values } = parseArgs({ options: { build: { type: 'boolean' }, port: { type: 'string', default: PORT } } })
const folder = path.join(packageRoot, 'dist', 'docs')
const pages = await buildSite(folder)
if (values.build === true) process.stdout.write(`${pages.length} pages in dist/docs\n`)
else
  try {
    const { url } = await serveFolder(folder, Number(values.port))
    process.stdout.write(`The documentation is at ${url} (${pages.length} pages). Ctrl+C ends it.\n`)
  } catch (error) {
    process.stderr.write(
      `Cannot listen on port ${values.port}: ${(error as Error).message}\nTry npm run docs -- --port 4001.\n`,
    )
    process.exitCode = 1
  }
