// Ours: settings of the operator.

/** Checks origins of web pages, such as `https://app.example:8443`. Returns a sentence for each that no browser sends. */
export function originMistakes(name: string, origins: readonly string[]): string[] {
  if (origins.includes('*') && origins.length > 1) return [`${name}: names * beside other origins; * alone allows all.`]
  return origins
    .filter((origin) => origin !== '*' && !isOrigin(origin))
    .map((origin) => `${name}: ${origin} is not an origin; write it as browsers do, such as ${example(origin)}.`)
}

function isOrigin(text: string): boolean {
  // Node.js knows no origin of URLs that are not of the web, such as capacitor://localhost of an app.
  if (!/^https?:/i.test(text)) return /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,*]+$/.test(text)
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*')
}

function example(text: string): string {
  const candidate = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(candidate)) return 'https://app.example'
  const { origin } = new URL(candidate)
  return isOrigin(origin) ? origin : 'https://app.example'
}
