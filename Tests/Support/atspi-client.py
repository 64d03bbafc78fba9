#!/usr/bin/python3
"""atspi-client.py COMMAND APPLICATION [VALUE]: what assistive technology sees of a program, by the real client library.

  list    prints the names of all applications, one a line
  tree    prints the application's objects as JSON; fails while it is not there
  act     performs the video's action
  set     sets the slider to VALUE; prints "set", or the error
  watch   prints the application's events as JSON, one a line, after a line "ready"
"""
import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402


def application(name):
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(index)
        if child and child.get_name() == name:
            return child
    sys.exit(f"{name} is not there")


def states(node):
    return sorted(state.value_nick for state in node.get_state_set().get_states())


def describe(node):
    # Straight from the program, not from what the library remembers.
    node.clear_cache()
    facts = {
        "role": node.get_role_name(),
        "name": node.get_name(),
        "description": node.get_description(),
        "states": states(node),
        "interfaces": sorted(node.get_interfaces()),
        "attributes": node.get_attributes(),
        "index": node.get_index_in_parent(),
        "parent": node.get_parent().get_role_name(),
        "application": node.get_application().get_name(),
    }
    component = node.get_component_iface()
    if component:
        area = component.get_extents(Atspi.CoordType.WINDOW)
        facts["extents"] = [area.x, area.y, area.width, area.height]
        inside = component.get_accessible_at_point(1, 1, Atspi.CoordType.WINDOW)
        facts["at point"] = inside.get_role_name() if inside else None
    action = node.get_action_iface()
    if action:
        facts["actions"] = [
            [action.get_action_name(i), action.get_action_description(i)] for i in range(action.get_n_actions())
        ]
    value = node.get_value_iface()
    if value:
        facts["value"] = [value.get_minimum_value(), value.get_current_value(), value.get_maximum_value()]
    if node.get_role() == Atspi.Role.APPLICATION:
        facts["toolkit"] = node.get_toolkit_name()
    facts["children"] = [describe(node.get_child_at_index(i)) for i in range(node.get_child_count())]
    return facts


def find(node, role):
    if node.get_role() == role:
        return node
    for index in range(node.get_child_count()):
        found = find(node.get_child_at_index(index), role)
        if found:
            return found
    return None


def watch(name):
    def heard(event):
        source = event.source
        if not source.get_application() or source.get_application().get_name() != name:
            return
        print(
            json.dumps(
                {
                    "type": event.type,
                    "role": source.get_role_name(),
                    "detail": event.detail1,
                    "data": str(event.any_data) if isinstance(event.any_data, (str, int, float)) else None,
                }
            ),
            flush=True,
        )

    listener = Atspi.EventListener.new(heard)
    for kind in ("object:state-changed", "object:property-change", "object:children-changed", "window"):
        listener.register(kind)
    print("ready", flush=True)
    Atspi.event_main()


def main():
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "list":
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(index)
            print(child.get_name() if child else "?")
    elif command == "tree":
        print(json.dumps(describe(application(arguments[0]))))
    elif command == "act":
        video = find(application(arguments[0]), Atspi.Role.VIDEO)
        print(video.get_action_iface().do_action(0))
    elif command == "set":
        slider = find(application(arguments[0]), Atspi.Role.SLIDER)
        try:
            slider.get_value_iface().set_current_value(float(arguments[1]))
            print("set")
        except GLib.Error as error:
            print(error.message)
    elif command == "watch":
        watch(arguments[0])


main()
