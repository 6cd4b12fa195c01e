/** Origins of web pages, as browsers name them: `https://app.example:8443`. */

/** Says of each that no browser would send so what is wrong with it. */
export function originMistakes(name: string, origins: readonly string[]): string[] {
  if (origins.includes('*') && origins.length > 1) return [`${name}: names * beside other origins; * alone allows all.`]
  return origins
    .filter((origin) => origin !== '*' && !isOrigin(origin))
    .map((origin) => `${name}: ${origin} is not an origin; write it as browsers do, such as ${example(origin)}.`)
}

function isOrigin(text: string): boolean {
  // Of apps that are pages, such as capacitor://localhost: URLs that are not of the web have no origin for Node.js.
  if (!/^https?:/i.test(text)) return /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,*]+$/.test(text)
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*')
}

function example(text: string): string {
  const candidate = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(candidate)) return 'https://app.example'
  const { origin } = new URL(candidate)
  return isOrigin(origin) ? origin : 'https://app.example'
}
