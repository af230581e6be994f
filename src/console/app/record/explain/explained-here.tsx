// Holds the value that is being explained, and loads its panel on first use.
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { explaining } from './explained.tsx';

type Asked = NonNullable<typeof explaining.value>;
type Panel = ComponentType<{ readonly asked: Asked; readonly onClose: () => void }>;

export function ExplainedHere({ asked }: { readonly asked: Asked | undefined }): JSX.Element | null {
  const [Loaded, setLoaded] = useState<Panel | undefined>(undefined);
  useEffect(() => {
    if (asked !== undefined && Loaded === undefined)
      void import('./explain-panel.tsx').then(({ default: panel }) => setLoaded(() => panel));
  }, [asked]);
  // What was explained is not, where one goes elsewhere.
  useEffect(
    () => () => {
      explaining.value = undefined;
    },
    [],
  );
  if (asked === undefined || Loaded === undefined) return null;
  return (
    <Loaded
      asked={asked}
      onClose={() => {
        explaining.value = undefined;
      }}
    />
  );
}
