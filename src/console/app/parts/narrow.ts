// Whether the screen is as narrow as a phone.
import { useEffect, useState } from 'preact/hooks';

const narrow = matchMedia('(max-width: 720px)');

export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const look = (): void => setNarrow(narrow.matches);
    narrow.addEventListener('change', look);
    return () => narrow.removeEventListener('change', look);
  }, []);
  return isNarrow;
}
