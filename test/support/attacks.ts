/** Texts of strangers that attack a page. One that runs sets `window.hacked`. */

/** Texts that run where a page takes text for HTML, for an address, or for a formula. */
export const SCRIPTS = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '<svg onload=window.hacked=1><a xlink:href="javascript:window.hacked=1">x</a></svg>',
  '"><iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  "'-window.hacked-'",
  '{{constructor.constructor("window.hacked=1")()}}',
  '=HYPERLINK("https://evil.example","x")',
]
/** Texts that try to run, to lead elsewhere, to look like others, or to take time. */
export const ATTACKS = [
  ...SCRIPTS,
  '[x](javascript:window.hacked=1) javascript:window.hacked=1 data:text/html,<script>window.hacked=1</script>',
  'https://bank.example@evil.example/ https://evil.example/?q=<script>window.hacked=1</script>',
  '\u202egpj.exe\u202c \u2066isolate \u0000\u0007\u200f',
  '*_~`*_~`*_~`'.repeat(500),
  '> '.repeat(500),
  '\u0301'.repeat(5_000),
]
