internal import RIBs

protocol RideMeterInteractable: Interactable {}

final class RideMeterRouter: Router<any RideMeterInteractable>, RideMeterRouting {}
