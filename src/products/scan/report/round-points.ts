/**
 * Rounds points for readers, by one rule for every place that shows them: whole numbers from 10 on, tenths below. The
 * scores are whole numbers, so a tenth of a large gain would pretend to more than was measured.
 */
export function roundPoints(points: number): number {
  return Math.abs(points) >= 9.95 ? Math.round(points) : Math.round(10 * points) / 10
}
