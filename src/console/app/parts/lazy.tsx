// A component that is loaded when it is first shown.
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { commonMessages } from '../messages/common.ts';

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

export function Lazy<Props extends object>({
  load,
  props,
}: {
  readonly load: Load<Props>;
  readonly props: Props;
}): JSX.Element {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  useEffect(() => {
    load().then(
      ({ default: component }) => setLoaded(() => component),
      (error: unknown) => setFault(String(error)),
    );
  }, [load]);
  if (fault !== undefined) return <p class="problem">{fault}</p>;
  return Loaded === undefined ? <p class="quiet loading">{commonMessages.loading}</p> : <Loaded {...props} />;
}
