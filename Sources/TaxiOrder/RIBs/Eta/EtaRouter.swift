internal import RIBs

protocol EtaInteractable: Interactable {}

final class EtaRouter: Router<any EtaInteractable>, EtaRouting {}
