/** `YYYY-MM-DD HH:MM:SS.FFF`, UTC: how times are written in records. */
export function recordTime(time: Date): string {
  return time.toISOString().replace('T', ' ').slice(0, 23)
}
