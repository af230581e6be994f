// Props of all views.
import type { GroupModel } from '../../service/model.ts';

export interface ViewProps {
  readonly group: GroupModel;
  /** The filters of the address, as the API takes them: what a picture shows is what they say. */
  readonly filters: URLSearchParams;
}
