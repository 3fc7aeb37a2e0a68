"""A small arm in URDF, of which tests change a few words."""

ARM = """\
<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.2" rpy="0 0 0"/>
      <mass value="2.0"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.04"/>
    </inertial>
    <visual>
      <geometry><cylinder radius="0.05" length="0.4"/></geometry>
      <material name="grey"/>
    </visual>
  </link>
  <link name="fore">
    <inertial>
      <origin xyz="0 0 0.15" rpy="0 0.3 0"/>
      <mass value="1.0"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>
    </inertial>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.1" rpy="0.1 0 0"/>
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="100" velocity="3"/>
    <dynamics damping="0.5" friction="0.2"/>
  </joint>
  <joint name="elbow" type="continuous">
    <origin xyz="0 0 0.4"/>
    <parent link="upper"/>
    <child link="fore"/>
    <axis xyz="0 1 1"/>
  </joint>
  <joint name="flange" type="fixed">
    <origin xyz="0 0 0.3" rpy="0 1 0"/>
    <parent link="fore"/>
    <child link="tool"/>
  </joint>
</robot>
"""


def changed(old, new, text=ARM):
    """The arm with one place changed."""
    assert text.count(old) >= 1, old
    return text.replace(old, new, 1)
