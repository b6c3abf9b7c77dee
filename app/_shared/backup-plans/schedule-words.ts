/** "02:00". */
export const formatHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

export const hours: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour)
