// The placeholder of a tile that is loading.
import type { JSX } from 'preact';

export const Skeleton = ({ title }: { readonly title: string }): JSX.Element => (
  <div class="skeleton" aria-busy="true">
    <h3>{title}</h3>
    <div class="skeleton-line" />
    <div class="skeleton-block" />
  </div>
);
